"""PDF files for print shops: boxes for cutting, inks printed over each other, and colours of the press."""

from __future__ import annotations

import re
from typing import IO, Any

from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    RectangleObject,
    TextStringObject,
)

from fastqueens.pictures.paper import MILLIMETRES_PER_INCH

_POINTS_PER_MILLIMETRE = 72 / MILLIMETRES_PER_INCH

#: Cyan, magenta, yellow and black in percent for coated paper, to be proofed. Together they cover up to 295 %, the most
#: that such paper takes.
_BUILDS = {"1d4e89": (94, 74, 17, 4), "f25f3a": (0, 76, 80, 0)}

#: The printing condition of these builds.
_CONDITION = "FOGRA39"

#: Operators for colours of strokes and of areas, in red, green and blue or in grey.
_COLOR = re.compile(rb"(?<![\d.])(?:[\d.]+\s+[\d.]+\s+[\d.]+\s+rg|[\d.]+\s+g)\b", re.IGNORECASE)


def write_sheet(content: IO[bytes], file: IO[bytes], info: dict[Any, Any], blended: float) -> None:
    """Write a PDF of one page with its boxes, the blend mode of shapes and, with "inks" in ``info``, in CMYK.

    Shapes with the opacity ``blended`` get the blend mode and full opacity. "inks" are the colour of the paper, which
    is not printed, and the colour of the words, which become black.
    """
    document = PdfWriter(clone_from=content)
    document.pdf_header = "%PDF-1.6"
    (page,) = document.pages
    left, bottom, right, top = (float(edge) for edge in page.mediabox)
    for name, millimetres in (("bleedbox", info["marks"]), ("trimbox", info["cut"])) if info["cut"] else ():
        cut = millimetres * _POINTS_PER_MILLIMETRE
        setattr(page, name, RectangleObject((left + cut, bottom + cut, right - cut, top - cut)))
    for state in page.get("/Resources", {}).get("/ExtGState", {}).values():
        if state.get("/CA") == blended:
            state.update({NameObject(name): FloatObject(1) for name in ("/CA", "/ca")})
            state[NameObject("/BM")] = NameObject(f"/{info['blend'].capitalize()}")
    for image in page.get("/Resources", {}).get("/XObject", {}).values():
        if "photo" in info and (image.get("/Width"), image.get("/Height")) == info["photo"].replaced:
            _replace(image.get_object(), info["photo"])
    if "inks" in info:
        _separate(document, page, *info["inks"])
    document.write(file)


def _replace(image: Any, photo: Any) -> None:
    """Replace the content of an image by a JPEG; matplotlib turns images in PDF upside down."""
    image.pop("/DecodeParms", None)
    turned = photo._replace(image=photo.image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    entries = {"/Width": photo.image.width, "/Height": photo.image.height, "/BitsPerComponent": 8}
    image.update({NameObject(name): NumberObject(value) for name, value in entries.items()})
    image.update({NameObject("/ColorSpace"): NameObject("/DeviceRGB"), NameObject("/Filter"): NameObject("/DCTDecode")})
    image._data = turned.content()


def _separate(document: PdfWriter, page: Any, paper: str, words: str) -> None:
    """Turn the colours of a page into CMYK, and name the printing condition."""

    def separated(found: re.Match[bytes]) -> bytes:
        *numbers, operator = found[0].split()
        color = "".join(f"{round(255 * float(number)):02x}" for number in numbers * (3 // len(numbers)))
        inks = {paper[1:]: (0, 0, 0, 0), words[1:]: (0, 0, 0, 100), **_BUILDS}.get(color) or _plain_build(color)
        is_area = operator.islower()
        return " ".join(f"{ink / 100:g}" for ink in inks).encode() + (b" k" if is_area else b" K")

    stream = DecodedStreamObject()
    stream.set_data(_COLOR.sub(separated, page.get_contents().get_data()))
    page[NameObject("/Contents")] = document._add_object(stream.flate_encode())
    group = {"/S": NameObject("/Transparency"), "/CS": NameObject("/DeviceCMYK"), "/I": FloatObject(1)}
    page[NameObject("/Group")] = DictionaryObject({NameObject(name): value for name, value in group.items()})
    intent = {
        "/Type": NameObject("/OutputIntent"),
        "/S": NameObject("/GTS_PDFX"),
        "/OutputConditionIdentifier": TextStringObject(_CONDITION),
        "/RegistryName": TextStringObject("http://www.color.org"),
        "/Info": TextStringObject(_CONDITION),
    }
    intents = ArrayObject([DictionaryObject({NameObject(name): value for name, value in intent.items()})])
    document.root_object[NameObject("/OutputIntents")] = intents


def _plain_build(color: str) -> tuple[float, ...]:
    """Return percents of cyan, magenta, yellow and black for six hexadecimal digits, with as much black as possible."""
    light = [int(color[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    black = 1 - max(light)
    return (*(100 * (1 - part - black) / max(1 - black, 1e-9) for part in light), 100 * black)
