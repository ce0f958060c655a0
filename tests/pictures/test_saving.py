"""Pictures in files: size, pixels and resolution of each format, the same bytes each time, and atomic writes."""

import itertools
import re
import subprocess
import sys

import numpy as np
import pytest
from errors import check_error
from PIL import Image

import fastqueens
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.pictures.figure import house_style, new_figure
from fastqueens.pictures.saving import PICTURE_FORMATS, save_picture

PIXELS = tuple(suffix for suffix in PICTURE_FORMATS if suffix not in (".pdf", ".svg"))


def a_figure():
    with house_style():
        figure = new_figure(4, 3)
        figure.subplots().plot([0, 1, 2], [2, 1, 0])
    return figure


def an_image(mode="RGB"):
    noise = np.random.default_rng(1).integers(0, 256, (30, 40, 4), np.uint8)
    return Image.fromarray(noise).convert(mode)


def opened(path):
    with Image.open(path) as image:
        image.load()
        return image


def test_a_figure_has_its_size_times_dpi_pixels(tmp_path):
    for suffix in PIXELS:
        for dpi, size in ((50, (200, 150)), (None, (600, 450)))[: 2 if suffix == ".png" else 1]:
            save_picture(a_figure(), tmp_path / f"a{suffix}", dpi=dpi)
            assert opened(tmp_path / f"a{suffix}").size == size, suffix


def test_a_figure_in_svg_and_pdf_has_its_size_at_any_dpi(tmp_path):
    for suffix, size in ((".svg", b'width="288pt" height="216pt"'), (".pdf", b"/MediaBox [ 0 0 288 216 ]")):
        for dpi in (50, 300):
            save_picture(a_figure(), tmp_path / f"a{suffix}", dpi=dpi)
            assert size in (tmp_path / f"a{suffix}").read_bytes()


def test_no_font_is_needed_to_show_the_text(tmp_path):
    figure = a_figure()
    figure.suptitle("Queens")
    save_picture(figure, tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text()
    assert "<!-- Queens -->" in drawn
    assert "<text" not in drawn
    assert "font-family" not in drawn
    save_picture(figure, tmp_path / "a.pdf")
    assert b"/FontFile2" in (tmp_path / "a.pdf").read_bytes()


def test_every_image_is_kept_and_in_lossless_formats_pixel_by_pixel(tmp_path):
    for suffix, mode in itertools.product((".png", ".webp", ".jpg", ".JPEG"), ("L", "RGB")):
        image = an_image(mode)
        save_picture(image, tmp_path / f"a{suffix}")
        read = opened(tmp_path / f"a{suffix}")
        assert (read.format == "JPEG", read.size) == (suffix in (".jpg", ".JPEG"), (40, 30)), (suffix, mode)
        if read.format != "JPEG":
            assert np.array_equal(np.asarray(read.convert("RGBA")), np.asarray(image.convert("RGBA"))), (suffix, mode)


def test_the_file_holds_its_dpi(tmp_path):
    image = an_image()
    image.info["dpi"] = (200, 200)
    for dpi, expected in ((None, 200), (300, 300)):
        for suffix in (".png", ".jpg"):
            save_picture(image, tmp_path / f"a{suffix}", dpi=dpi)
            assert np.allclose(opened(tmp_path / f"a{suffix}").info["dpi"], expected, atol=0.1)


@pytest.mark.parametrize("suffix", PICTURE_FORMATS)
def test_the_same_picture_is_the_same_file_without_a_date(tmp_path, suffix):
    for make in [a_figure, an_image] if suffix in PIXELS else [a_figure]:
        for name in "ab":
            save_picture(make(), tmp_path / f"{name}{suffix}")
        one, other = ((tmp_path / f"{name}{suffix}").read_bytes() for name in "ab")
        assert one == other
        assert not re.search(rb"CreationDate|ModDate|<dc:date>|tIME|20\d\d-\d\d-\d\d", one)


def test_more_pixels_than_a_format_holds(tmp_path):
    long = Image.new("1", (16_384, 1))
    with check_error(InputError, "16,384", 1, ".webp", "16,383"):
        save_picture(long, tmp_path / "a.webp")
    save_picture(long, tmp_path / "a.png")
    with check_error(InputError, "80,000 x 60,000", ".png", 65_535):
        save_picture(a_figure(), tmp_path / "b.png", dpi=20_000)
    save_picture(a_figure(), tmp_path / "b.svg", dpi=20_000)


def test_pictures_that_do_not_fit_into_memory(tmp_path, leave_memory):
    leave_memory(10**8)
    large = Image.new("L", (8000, 1000))
    for picture, name, named in (
        (a_figure(), "a.png", ("16,000 x 12,000 pixels", "1,536 MB")),
        (large, "a.webp", ("8,000 x 1,000 pixels", "128 MB")),
    ):
        with check_error(NotEnoughMemoryError, *named):
            save_picture(picture, tmp_path / name, dpi=4000)
    save_picture(large, tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@pytest.fixture
def short_files():
    """Let no file of this process have more than 1,000 bytes."""
    resource = pytest.importorskip("resource")
    earlier = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, earlier[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, earlier)


def test_a_failing_write_leaves_the_earlier_file(target, short_files):
    path = target.rename(target.with_name("a.png"))
    for picture in (a_figure(), an_image()):
        with check_error(InputError, "a.png", "larger than allowed"):
            save_picture(picture, path)
    assert path.read_text() == "earlier"
    assert list(path.parent.iterdir()) == [path]


def test_a_suffix_is_checked_without_loading_plotting_libraries():
    code = (
        "import sys; from fastqueens.pictures.saving import check_picture_suffix; print(check_picture_suffix('A.Pdf'));"
        "print([name for name in ('matplotlib', 'PIL', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ".pdf\n[]\n"


def test_pictures_of_the_library_are_written_completely_or_not_at_all(tmp_path, short_files):
    (tmp_path / "a.png").write_bytes(b"earlier")
    for write in (fastqueens.climb(8, seed=1).plot().save, fastqueens.poster(8, seed=1, size="A6", dpi=50).save):
        with check_error(InputError, "a.png"):
            write(tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes() == b"earlier"
        assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_options_and_other_formats_are_those_of_matplotlib_and_pillow(tmp_path):
    figure = a_figure()
    figure.savefig(tmp_path / "a.png", dpi=50)
    assert opened(tmp_path / "a.png").size == (200, 150)
    figure.savefig(tmp_path / "b.png", dpi=50, transparent=True)
    assert opened(tmp_path / "b.png").getpixel((0, 0))[3] == 0
    figure.savefig(tmp_path / "c.eps")
    assert (tmp_path / "c.eps").read_bytes().startswith(b"%!PS")
    image = fastqueens.poster(8, size="A6", dpi=50).image
    image.save(tmp_path / "d.tif")
    image.save(tmp_path / "e", format="PNG", optimize=True)
    assert opened(tmp_path / "d.tif").size == opened(tmp_path / "e").size == image.size
