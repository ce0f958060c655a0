"""What tests look for in figures."""

from matplotlib.text import Text


def texts_in_view(figure):
    """Return all text of a figure except the labels of ticks beyond the ends of an axis."""
    ticks = [
        (tick, axis) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks()
    ]
    beyond = {
        label
        for tick, axis in ticks
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    return [text for text in figure.findobj(Text) if text.get_visible() and text not in beyond]
