"""A climb as a moving picture: the queen that moves, the attacks, and the cost falling beside them."""

from fastqueens.pictures.animation.making import (
    Animation,
    animate_climb,
    check_animation,
    check_animation_suffix,
    write_animation,
)

__all__ = ["Animation", "animate_climb", "check_animation", "check_animation_suffix", "write_animation"]
