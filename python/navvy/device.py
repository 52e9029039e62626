"""Devices that compute beside the processor."""

from dataclasses import dataclass

from . import _navvy


@dataclass(frozen=True)
class DeviceTest:
    """How a test of a device went."""

    failure: str
    """What was wrong; empty where the device computes the bits of the processor."""
    seconds: float
    """Of the small job that the test is, once the kernels are made; 0 where it failed."""

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.failure


@dataclass(frozen=True)
class Device:
    """What a driver tells of a device."""

    name: str
    """What `device=` takes: "cuda:0", "opencl:1"."""
    hardware: str
    driver: str
    memory: int
    """Of its own, in bytes."""
    gpu: bool
    """False for a processor by way of a driver, and for other accelerators."""
    doubles: bool
    """Whether it knows double precision, which bow and wcd need."""

    def test(self) -> DeviceTest:
        """Opens the device and compares what it computes with the processor, to the bit.

        Returns
        -------
        test : DeviceTest

        Examples
        --------
        >>> import navvy
        >>> all(device.test().passed for device in navvy.devices() if device.gpu)
        True
        """
        return test_device(self.name)


def devices() -> list[Device]:
    """The devices beside the processor.

    Returns
    -------
    devices : list of Device
        All that drivers of CUDA and OpenCL tell of; none where there is no driver.

    Examples
    --------
    >>> import navvy
    >>> names = [device.name for device in navvy.devices()]  # such as ["opencl:0"]
    """
    return [Device(**facts) for facts in _navvy.devices()]


def test_device(name: str) -> DeviceTest:
    """Tests a device.

    Parameters
    ----------
    name : str
        As in `devices()`; ValueError where there is none of it.

    Returns
    -------
    outcome : DeviceTest
        Whether it computes the bits of the processor, and how long a small job takes.

    Examples
    --------
    >>> import navvy
    >>> try:
    ...     outcome = navvy.test_device("cuda:99")
    ... except ValueError:
    ...     print("there is no such device")
    there is no such device
    """
    return DeviceTest(*_navvy.test_device(name))
