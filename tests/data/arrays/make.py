"""Writes the arrays of this folder with NumPy and SciPy: python make.py. They are kept so that the
tests read files which the real libraries wrote."""

from pathlib import Path

import numpy as np
import scipy.sparse as sp

folder = Path(__file__).parent
dense = np.array([[0, 1, 3], [2, 0, 0], [0, 0, 0], [1, 1, 2]])

for name in ("csr", "csc", "coo"):
    sp.save_npz(folder / f"{name}.npz", sp.csr_matrix(dense.astype(np.float32)).asformat(name))
sp.save_npz(folder / "csr_array_stored.npz", sp.csr_array(dense.astype(np.int64)), compressed=False)
sp.save_npz(folder / "bsr.npz", sp.bsr_matrix(dense.astype(np.float64)))

# Unsorted, duplicate and zero entries, 64-bit indices.
untidy = sp.csr_matrix((4, 3), dtype=np.float64)
untidy.data = np.array([2.0, 1, 1, 0, 2, 1, 1, 2])
untidy.indices = np.array([2, 1, 2, 0, 0, 1, 0, 2], dtype=np.int64)
untidy.indptr = np.array([0, 4, 5, 5, 8], dtype=np.int64)
sp.save_npz(folder / "untidy.npz", untidy)

np.save(folder / "f8.npy", dense.astype("<f8"))
np.save(folder / "f4_big_fortran.npy", np.asfortranarray(dense.astype(">f4")))
np.save(folder / "f2.npy", dense.astype("<f2"))
np.save(folder / "u1.npy", dense.astype("u1"))
np.save(folder / "i8_big.npy", dense.astype(">i8"))
np.save(folder / "names.npy", np.array(["soil", "Zürich", "", "土"]))
np.save(folder / "names_big.npy", np.array(["soil", "Zürich", "", "土"]).astype(">U6"))
np.save(folder / "bytes.npy", np.array([b"soil", b"people", b"", b"x"]))
np.save(folder / "objects.npy", np.array(["soil", None], dtype=object), allow_pickle=True)
np.save(folder / "numbers.npy", np.array([-1, 0, 9223372036854775807], dtype="<i8"))
