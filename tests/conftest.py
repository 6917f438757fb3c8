"""What all tests share: warnings are errors, chance is seeded, sample data is found or the test says why not."""

from pathlib import Path

import hypothesis
import numpy as np
import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

hypothesis.settings.register_profile("suite", deadline=None, derandomize=True, max_examples=50, print_blob=True)
hypothesis.settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _strict_numbers() -> None:
    """Fail on overflow, division by zero and invalid values in numpy; start from the same seed."""
    np.seterr(all="raise", under="ignore")
    np.random.seed(20260101)  # noqa: NPY002 - for libraries that use the global state


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of sample data beside the checkout; skips where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no sample data beside the checkout (../shared/data)")
    return SHARED
