"""What the page of ``explore`` has drawn."""


def pixel(view, x, y):
    """The colour of a drawn pixel."""
    read = "([x, y]) => Array.from(document.querySelector('.board').getContext('2d').getImageData(x, y, 1, 1).data)"
    return tuple(view.page.evaluate(read, [round(x), round(y)])[:3])
