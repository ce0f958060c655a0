"""A climb as an animation: the queen that moves, the attacks, and next to them the cost as it falls.

``shots`` plans the frames, ``board`` and ``panel`` draw the two halves of a frame, ``making`` puts them together.
"""

from fastqueens.pictures.animation.animation import Animation, check_animation_suffix, write_animation
from fastqueens.pictures.animation.making import animate_climb, check_animation

__all__ = ["Animation", "animate_climb", "check_animation", "check_animation_suffix", "write_animation"]
