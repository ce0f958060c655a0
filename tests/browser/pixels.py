"""What the page of ``explore`` has drawn."""


def pixels(view, places):
    """Return the colours of drawn pixels."""
    read = """(places) => {
        const pen = document.querySelector(".board").getContext("2d");
        return places.map(([x, y]) => Array.from(pen.getImageData(x, y, 1, 1).data));
    }"""
    return [tuple(colour[:3]) for colour in view.page.evaluate(read, [[round(x), round(y)] for x, y in places])]
