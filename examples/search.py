"""Search in 20 lines: which of these digits look most like the first one?

python examples/search.py
"""

import navvy
from sklearn.datasets import load_digits

images, labels = load_digits(return_X_y=True)
images = images.reshape(-1, 8, 8)  # 1,797 digits of 8 x 8 pixels

index = navvy.Index.from_images(images[1:], labels=labels[1:])
print(index)

matches = index.search(images[:1], top=5, measure="act-1")
print(f"nearest to a {labels[0]}:")
for match in matches[0]:
    print(f"  row {match.row:4d}, a {match.label}, at distance {match.distance:.3f}")

print(index.explain(images[0], matches[0][0].row))
