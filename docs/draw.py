"""Draw the pictures of the pages into docs/pictures: ``python docs/draw.py`` from the root of the repository.

All boards, free squares and conflicts come from the package, with the seeds in this file. Figures are drawn for light
and for dark pages; ``docs/hooks.py`` shows the one that fits.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path as Outline
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import Affine2D
from PIL import Image

import fastqueens
from fastqueens import estimate, limit_density, make_instance, picture, random_board, solve
from fastqueens._run.thresholds import USUAL
from fastqueens.densities import bin_board
from fastqueens.pictures.chessboard import QUEEN
from fastqueens.pictures.density import draw_bar, draw_cells, shades
from fastqueens.pictures.figure import BOLD, TEXT, TITLE, Picture, caption, house_style, large_number, new_figure
from fastqueens.pictures.palettes import palette_in
from fastqueens.pictures.roles import named_theme, theme
from fastqueens.pictures.saving import figure_bytes, save_picture
from fastqueens.pictures.weave import Cloth, Place
from fastqueens.placement.tiles import cut_of, earlier_tiles, order_of_tiles

PICTURES = Path(__file__).parent / "pictures"
TIMES = Path(__file__).parent.parent / "bench" / "results" / "floor.json"

#: What the names of pictures for light and dark pages end in.
THEMES = {"light": "", "dark": "-dark"}

#: The size of the pictures of the doors on the home page, in pixels, and the options of photographs and cloths.
DOOR = 720, 450
JPEG = {"quality": 80, "optimize": True, "progressive": True}


def main() -> None:
    """Draw all pictures."""
    figures = (
        line_counters, window, strip, free_squares, greedy_pairs, tiles, xor_of_columns, plateaus, limit_shape,
        hole_that_travels, free_share, plateau_memory, steps, times,
    )  # fmt: skip
    images = door_class, door_large, door_constraints, door_random, million
    bloom()
    for name, ending in THEMES.items():
        for draw in figures:
            with house_style(name):
                save_picture(draw(), PICTURES / f"{_name_of(draw)}{ending}.png", dpi=150)
        for image in images:
            image(name).convert("RGB").save(PICTURES / f"{_name_of(image)}{ending}.jpg", **JPEG)


def bloom() -> None:
    """Draw the film of the first screens, its last frame for readers who prefer less motion, and the social card."""
    film = fastqueens.animate(200, seed=24, size=(1280, 640), seconds=8)
    film.save(PICTURES / "bloom.webp")
    film.frames[-1].convert("RGB").save(PICTURES / "bloom.png", optimize=True)
    with house_style():
        social_card(film.climb.queens).save(PICTURES / "card.png", optimize=True)


def social_card(queens: np.ndarray) -> Image.Image:
    """Draw the picture that links to the site show: a weave, and what the project is."""
    width, height = 1200, 630
    cloth = Cloth(queens, palette_in(theme()), width, height, Place(0.0, (height - width) / 2, float(width)))
    figure = new_figure(width / 100, height / 100)
    card, words = Rectangle((0, 0), 0.6, 0.42, facecolor=theme().paper, transform=figure.transFigure), theme().ink
    figure.figimage(cloth.pixels(), origin="upper", zorder=0)
    figure.add_artist(card)
    figure.text(0.04, 0.25, "fastqueens", fontproperties=TITLE, fontsize=62, color=words)
    figure.text(0.042, 0.155, "N queens, from eight to four billion", fontproperties=BOLD, fontsize=25, color=words)
    figure.text(0.042, 0.075, "Solve, study, count and draw in Python", fontproperties=TEXT, fontsize=25, color=words)
    return _pixels(figure, 100)


def door_class(name: str) -> Image.Image:
    """Draw the random board of the tutorial."""
    return _board_of(picture(random_board(8, seed=3), theme=name))


def door_large(name: str) -> Image.Image:
    """Draw the weave of a million queens."""
    queens, (width, height) = solve(1_000_000, seed=1, mix=5, trace=False).queens, DOOR
    return Image.fromarray(Cloth(queens, palette_in(named_theme(name)), width, height, Place(0, 0, width)).pixels())


def door_constraints(name: str) -> Image.Image:
    """Draw a solution with a fixed queen, blocked squares and an excluded diagonal."""
    blocked = [(3, 2), (6, 1), (5, 3), (0, 1)]
    instance = make_instance(8, fixed={1: 3}, blocked=blocked, excluded_sums=[9])
    return _board_of(picture(solve(instance, seed=1).queens, instance=instance, theme=name))


def door_random(name: str) -> Image.Image:
    """Draw the density of random solutions."""
    boards = [solve(1_000_000, seed=seed, mix=5, trace=False).queens for seed in range(1, 5)]
    density = np.mean([bin_board(board, 48).density() for board in boards], axis=0)
    cells = Image.fromarray(shades(density[:30], named_theme(name).density))
    return cells.resize((DOOR[0], DOOR[0] * 30 // 48), Image.Resampling.NEAREST)


def million(name: str) -> Image.Image:
    """Draw the million queens of the tutorial."""
    return _pixels(picture(solve(1_000_000, seed=1, trace=False).queens, theme=name).figure, 150)


def _board_of(drawn: Picture) -> Image.Image:
    """Return the upper part of the squares of a picture of a board."""
    image = _pixels(drawn.figure, 200)
    left, bottom, width, height = drawn.axes[0].get_position().bounds
    x, y, side = left * image.width, (1 - bottom - height) * image.height, width * image.width
    return image.crop(tuple(map(round, (x, y, x + side, y + side * DOOR[1] / DOOR[0])))).resize(DOOR)


def _pixels(figure: Figure, dpi: float) -> Image.Image:
    return Image.open(io.BytesIO(figure_bytes(figure, ".png", dpi)))


def _name_of(draw: Callable[..., object]) -> str:
    return draw.__name__.replace("_", "-")


def times() -> Figure:
    """Draw the times of fastqueens and of other programs against n, from the stored benchmarks."""
    result = json.loads(TIMES.read_text())
    measured = result["machine"]
    first, second, _, fourth = theme().series[:4]
    figure = new_figure(8, 4.4)
    axes = figure.add_subplot()
    for label, program, threads, colour, marker in (
        ("fastqueens", "fastqueens.solve, the whole call", 1, first, "o"),
        ("2 threads", "fastqueens.solve, the whole call", 2, first, "s"),
        ("Adaptive Search (C)", "Adaptive Search, C", 1, second, "D"),
        ("OR-Tools CP-SAT", "OR-Tools CP-SAT", 2, fourth, "^"),
    ):
        rows = [row for row in result["rows"] if (row["program"], row["threads"]) == (program, threads)]
        # The placement of smaller boards has one thread.
        rows = [row for row in rows if row["median"] and (label != "2 threads" or row["n"] >= 10**8)]
        sizes, seconds = [row["n"] for row in rows], [row["median"] for row in rows]
        axes.plot(sizes, seconds, color=colour, marker=marker, markeredgecolor=theme().paper, markersize=8)
        down = {"fastqueens": -14, "2 threads": -14}.get(label, 8)
        place = (sizes[3], seconds[3]) if label == "fastqueens" else (sizes[-1], seconds[-1])
        axes.annotate(label, place, (6, down), textcoords="offset points", color=colour, fontweight="bold")
    axes.set(xscale="log", yscale="log", xlabel="n, number of queens", xlim=(60, 6e9), ylim=(5e-5, 90))
    axes.xaxis.set_major_formatter(FuncFormatter(large_number))
    axes.set_yticks([1e-4, 1e-3, 1e-2, 0.1, 1, 10, 60], ["0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "1 min"])
    axes.set_title("Time to place n queens so that none attacks another")
    cores = f"{measured['cores']} {measured['processor']} cores"
    caption(
        figure,
        f"Medians on {cores} ({measured['date']}, commit {measured['commit']}); fastqueens with its check. Other "
        "programs were stopped after 15 s.",
    )
    return figure


def line_counters() -> Figure:
    """Draw a board with five queens, the counters of its rows, and the attacks on one square."""
    queens, n, (column, row) = [1, 3, 0, 6, 4], 8, (5, 4)
    figure = new_figure(6.4, 6.4)
    axes = _bare(figure.add_subplot(), (-1.6, n + 0.6), (-1.0, n + 0.9))
    _chessboard(axes, n)
    rising, falling = theme().series[:2]
    lines = {
        theme().soft: [(c, row) for c in range(n)],
        rising: [(c, column + row - c) for c in range(n) if 0 <= column + row - c < n],
        falling: [(c, row - column + c) for c in range(n) if 0 <= row - column + c < n],
    }
    for colour, squares in lines.items():
        (first, start), (last, end) = squares[0], squares[-1]
        ends = ([first + 0.5, last + 0.5], [n - start - 0.5, n - end - 0.5])
        axes.plot(*ends, color=colour, linewidth=9, alpha=0.45, solid_capstyle="round")
    for c, r in enumerate(queens):
        _queen(axes, c, n - 1 - r)
    for r in range(n):
        chosen = r == row
        axes.text(
            -0.4, n - r - 0.5, str(queens.count(r)), ha="center", va="center", fontsize=13,
            color=theme().ink if chosen else theme().soft, fontweight="bold" if chosen else "normal",
        )  # fmt: skip
    sums = sum(c + r == column + row for c, r in enumerate(queens))
    differences = sum(r - c == row - column for c, r in enumerate(queens))
    axes.text(-0.4, n + 0.35, "queens\nin the row", ha="center", va="center", fontsize=9, color=theme().soft)
    axes.text(
        column + 0.5, n - row - 0.5, "?", ha="center", va="center", fontsize=24, fontweight="bold", color=theme().ink
    )
    labels = (
        (theme().soft, f"row {row}: {queens.count(row)}"),
        (rising, f"sum {column + row}: {sums}"),
        (falling, f"difference \N{MINUS SIGN}{column - row}: {differences}"),
    )
    for place, (colour, label) in enumerate(labels):
        axes.text((0, 2.6, 5.2)[place], -0.5, label, fontsize=13, color=colour, fontweight="bold", va="center")
    axes.set_title(f"A queen on ? would have {queens.count(row)} + {sums} + {differences} attackers")
    return figure


def window() -> Figure:
    """Draw 64 rows of one column of a real placement: three words of used lines, and the word of free squares."""
    n, column, first = 1000, 500, 448
    board = _placed(n)
    before = np.arange(column)
    rows = np.arange(first, first + 64)
    rising, falling = theme().series[:2]
    used = {
        "row used": (np.isin(rows, board[:column]), theme().soft),
        "sum diagonal used": (np.isin(rows + column, board[:column] + before), rising),
        "difference diagonal used": (np.isin(rows - column, board[:column] - before), falling),
    }
    free = ~np.any([bits for bits, _ in used.values()], axis=0)
    figure = new_figure(9.6, 3.1)
    axes = _bare(figure.add_subplot(), (-16, 65), (-1.2, 6.6))
    strips = [*used.items(), ("free: no line used", (free, theme().ink))]
    for place, (name, (bits, colour)) in enumerate(strips):
        bottom = 5.2 - 1.5 * place - (0.5 if place == 3 else 0)
        _strip(axes, bits, bottom, colour)
        axes.text(-1, bottom + 0.5, name, ha="right", va="center", fontsize=10, color=colour)
    axes.plot([0, 64], [1.7, 1.7], color=theme().faint, linewidth=1)
    axes.set_title(f"Column {column} of {n:,}: {free.sum()} of 64 rows are free (three words, two ORs, one NOT)")
    caption(figure, f"n = {n:,}, seed 1, rows {first} to {first + 63}, after {column} columns. Filled cells: set bits.")
    return figure


def strip() -> Figure:
    """Draw the free squares and the queens of a group of columns in its strip of rows, on a half-filled board."""
    n, dealt, group, windows = 1_000_000, 256, 16, 8
    board = _placed(n)
    # In bit-reversed order, all even dealings come before the one that begins at column ``dealt``.
    groups = board[dealt : 2 * dealt].reshape(-1, group) // (64 * windows)
    whole = np.flatnonzero((groups == groups[:, :1]).all(axis=1))[0]
    columns = np.arange(dealt + group * whole, dealt + group * (whole + 1))
    first = int(groups[whole, 0]) * 64 * windows
    rows = np.arange(first, first + 64 * windows)[:, None]
    earlier = np.flatnonzero(np.arange(n) // dealt % 2 == 0)
    queens = board[earlier].astype(np.int64)
    used = np.isin(rows, queens) | np.isin(rows + columns, queens + earlier) | np.isin(rows - columns, queens - earlier)

    figure, orange = new_figure(9.6, 5.0), theme().series[1]
    axes = _bare(figure.add_subplot(), (-0.5, 20 * windows - 3.5), (-0.5, 68))
    axes.set_aspect("equal")
    for number in range(windows):
        left, inside = 20 * number, slice(64 * number, 64 * (number + 1))
        axes.imshow(
            used[inside], cmap=ListedColormap([theme().paper, theme().faint]), vmin=0, vmax=1, interpolation="nearest",
            extent=(left, left + group, 0, 64),
        )  # fmt: skip
        for place, row in enumerate(board[columns] - first):
            if row // 64 == number:
                axes.add_patch(Rectangle((left + place, 63 - row % 64), 1, 1, facecolor=orange, linewidth=0, zorder=3))
        axes.add_patch(Rectangle((left, 0), group, 64, fill=False, edgecolor=theme().grid, linewidth=0.8))
        label = f"row {first + 64 * number:,}"
        axes.text(left + group / 2, 65.5, label, ha="center", fontsize=9, color=theme().soft)
    axes.set(xlim=(-0.5, 20 * windows - 3.5), ylim=(-0.5, 68))
    share = 100 * used.mean()
    axes.set_title(f"{group} columns, and the eight windows of a strip next to each other")
    caption(
        figure,
        f"n = {n:,}, seed 1, columns {columns[0]:,} to {columns[-1]:,}, when half of the columns have queens. "
        f"Grey: attacked squares ({share:.0f} %). Orange: the queens of these columns.",
    )
    return figure


def free_squares() -> Figure:
    """Draw how many squares of the next column are free while a board fills."""
    figure = new_figure(8, 4.2)
    axes = figure.add_subplot()
    for n, colour in zip((100_000, 1000, 10_000), theme().series, strict=False):
        board, shares = _placed(n), np.linspace(0.01, 0.999, 120)
        counted = [_free_rows(board, int(share * n)) for share in shares]
        axes.plot(shares, counted, color=colour, label=f"n = {n:,}")
    axes.set(yscale="log", xlabel="share of the columns with a queen", ylabel="free squares in the next column")
    axes.yaxis.set_major_formatter(FuncFormatter(large_number))
    axes.set_xlim(0, 1)
    axes.legend(loc="lower left")
    axes.set_title("Free squares remain almost to the end")
    caption(figure, "Counted on the first boards of the windowed start, seed 1.")
    return figure


def greedy_pairs() -> Figure:
    """Draw the attacking pairs of random and greedy first boards against n."""
    sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    figure = new_figure(8, 4.2)
    axes = figure.add_subplot()
    windowed, random, permutation = theme().series[:3]
    starts = ("random", random, "D"), ("permutation", permutation, "s"), ("windowed", windowed, "o")
    for start, colour, marker in starts:
        means = [np.mean([_first_pairs(n, start, seed) for seed in range(1, 11)]) for n in sizes]
        axes.plot(sizes, means, color=colour, marker=marker, markeredgecolor=theme().paper, markersize=7, label=start)
    axes.set(xscale="log", yscale="log", xlabel="n, number of queens", ylabel="attacking pairs")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(large_number))
    axes.legend(loc="upper left", title="start")
    axes.set_title("Attacking pairs before the search")
    caption(figure, "Means over seeds 1 to 10.")
    return figure


def tiles() -> Figure:
    """Draw the tiles of a large board at one moment (filled, in work, waiting), and the lines of those in work."""
    n = 2**24
    cut = cut_of(n, USUAL)
    blocks, bands = cut.shape(n)
    order = order_of_tiles(blocks, bands)
    needed = earlier_tiles(order, cut.block // cut.band)
    in_work, done = set(), set()
    for _ in range(21):
        done |= in_work
        ready = (i for i in range(len(order)) if i not in done and needed[i] <= done)
        in_work = set(ready)
    figure = new_figure(6.8, 6.4)
    axes = _bare(figure.add_subplot(), (0, 1), (0, 1))
    width, height = cut.block / n, cut.band / n
    for number, (block, band) in enumerate(order):
        corner = (block * width, 1 - (band + 1) * height)
        face = theme().square if number in done else theme().paper
        axes.add_patch(Rectangle(corner, width, height, facecolor=face, edgecolor=theme().grid, linewidth=0.6))
    for block, band in (order[number] for number in sorted(in_work)):
        corner = (block * width, 1 - (band + 1) * height)
        for up, colour in zip((1, -1), theme().series, strict=False):
            axes.add_patch(_diagonals(corner, width, height, up, colour))
        look = {"facecolor": theme().ink, "edgecolor": theme().paper, "linewidth": 1.5, "zorder": 3}
        axes.add_patch(Rectangle(corner, width, height, **look))
    axes.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=theme().faint))
    axes.set_title(f"{len(in_work)} tiles filled at the same time, no two on the same line")
    shape = f"n = {n:,}: {blocks} blocks of columns, {bands} bands of rows"
    caption(figure, f"{shape}. Framed tiles: in work, with their diagonals. Tinted tiles: filled.")
    return figure


def xor_of_columns() -> Figure:
    """Draw one line as its queens leave: their number, and the XOR of their columns, which names the last one."""
    figure = new_figure(8, 3.6)
    axes = _bare(figure.add_subplot(), (-0.2, 15.4), (-0.4, 4.6))
    for place, columns in enumerate(([3, 5, 6], [3, 6], [6])):
        bottom = 3 - 1.4 * place
        for column in range(8):
            colour = theme().square if (column + place) % 2 else theme().paper
            axes.add_patch(Rectangle((column, bottom), 1, 1, facecolor=colour, linewidth=0))
            if place == 0:
                axes.text(column + 0.5, bottom + 1.2, str(column), ha="center", fontsize=9, color=theme().soft)
        for column in columns:
            _queen(axes, column, bottom)
        xor = int(np.bitwise_xor.reduce(columns))
        terms = " xor ".join(f"{column:03b}" for column in columns)
        axes.text(8.4, bottom + 0.5, f"{len(columns)}", va="center", fontsize=15, fontweight="bold", color=theme().ink)
        equals = f"{terms} = {xor:03b}" if len(columns) > 1 else f"{xor:03b}"
        named = f": column {xor}" if len(columns) == 1 else ""
        axes.text(
            9.4, bottom + 0.5, equals + named, va="center", fontsize=12, color=theme().accent if named else theme().ink
        )
    axes.text(8.4, 4.2, "count", fontsize=9, color=theme().soft)
    axes.text(9.4, 4.2, "XOR of the columns", fontsize=9, color=theme().soft)
    axes.set_title("When one queen is left, the XOR is its column")
    return figure


def plateaus() -> Figure:
    """Draw one search from a random board, with its plateaus."""
    return solve(200, start="random", seed=6).plot("pairs", title="Fast at first, then plateaus", theme=theme()).figure


def plateau_memory() -> Figure:
    """Draw the last four moves of a search: the plateau memory leads a queen to a new square."""
    n, last = 6, 4
    result = solve(n, start="random", seed=894, trace="moves")
    assert result.moves is not None
    moves = result.moves.steps[-last:].tolist()
    board = result.queens.tolist()
    for column, row, _ in reversed(moves):
        board[column] = row
    titles = ["Queen A leaves a square", "Queen B leaves a square", "A does not go back", "Solved by one more move"]
    figure = new_figure(12.4, 3.9)
    left: list[tuple[int, int]] = []
    for at, (title, (column, row, new)) in enumerate(zip(titles, moves, strict=True)):
        axes = _bare(figure.add_subplot(1, last, at + 1), (-0.1, n + 0.1), (-0.8, n + 0.1))
        _chessboard(axes, n)
        for square in left:
            edge = (square[0] + 0.08, n - square[1] - 0.92)
            axes.add_patch(
                Rectangle(edge, 0.84, 0.84, fill=False, linewidth=2.5, linestyle=":", edgecolor=theme().note)
            )
        for c, r in _attackers(board):
            for d, q in _attackers(board):
                axes.plot([c + 0.5, d + 0.5], [n - r - 0.5, n - q - 0.5], color=theme().attack, linewidth=4)
        for c, r in enumerate(board):
            _queen(axes, c, n - 1 - r)
        if (column, 1) in left:
            axes.text(column + 0.5, n - 1.5, "\u00d7", ha="center", va="center", fontsize=24, color=theme().note)
        start, end = (column + 0.5, n - row - 0.5), (column + 0.5, n - new - 0.5)
        arrow = {"arrowstyle": "-|>,head_width=0.45,head_length=0.9", "color": theme().accent, "linewidth": 3}
        axes.annotate("", end, start, arrowprops={**arrow, "connectionstyle": "arc3,rad=0.35", "shrinkA": 8})
        for c, letter in ((0, "A"), (2, "B")):
            axes.text(c + 0.5, -0.4, letter, ha="center", va="center", fontsize=12, color=theme().soft)
        axes.set_title(f"{at + 1}. {title}", loc="left", fontsize=12)
        board[column] = new
        left.append((column, row))
    return figure


def _attackers(board: list[int]) -> list[tuple[int, int]]:
    """Return the squares of the queens that attack another; in these boards, there are two."""
    squares = list(enumerate(board))
    return [(c, r) for c, r in squares if any(c != d and (r == q or abs(c - d) == abs(r - q)) for d, q in squares)]


def steps() -> Figure:
    """Draw the search of the tutorial: a random board of eight queens and its repair."""
    return solve(board=random_board(8, seed=3), seed=1).plot(theme=theme()).figure


def limit_shape() -> Figure:
    """Draw the density of a million queens as the solver places them and after mixing, next to the limit shape."""
    n, k, seed, sweeps = 1_000_000, 50, 1, 5
    densities = {
        "Placed": bin_board(solve(n, seed=seed, trace=False).queens, k).density(),
        f"After {sweeps} sweeps of mixing": bin_board(solve(n, seed=seed, mix=sweeps, trace=False).queens, k).density(),
        "Limit shape": limit_density(k),
    }
    figure = new_figure(11.6, 4.25)
    places = figure.subplots(1, len(densities))
    for axes, (title, density) in zip(places, densities.items(), strict=True):
        axes.set_title(title)
        image = draw_cells(axes, density, (0, 1))
        axes.set_axis_off()
    draw_bar(image, "queens compared with an even share", 5, ax=places, aspect=24, pad=0.015)
    caption(figure, f"n = {large_number(n)}, {k} x {k} cells. Every queen is counted.")
    return figure


def hole_that_travels() -> Figure:
    """Draw how a queen is taken off, two others hop, and a queen is put back: the way from one solution to another."""
    n = 8
    first, hops = _travel(solve(n, seed=1).queens.tolist())
    column, blue, orange = first.index(-1), theme().accent, theme().falling
    figure = new_figure(11, 3.5)
    board, row = list(first), (set(range(n)) - set(first)).pop()
    steps = [("Take a queen off", -1, row), *(("Hop", *hop) for hop in hops), ("Put a queen back", -1, hops[-1][1])]
    for place, (title, moved, old) in enumerate(steps):
        axes = _bare(figure.add_subplot(1, len(steps), place + 1), (0, n), (0, n))
        _chessboard(axes, n)
        is_last = place == len(steps) - 1
        if title == "Hop":
            board[moved] = row
        for c, r in enumerate(board):
            if r >= 0:
                _queen(axes, c, n - 1 - r)
        if title == "Hop":
            ends = {"xytext": (moved + 0.5, n - 0.5 - old), "xy": (moved + 0.5, n - 0.5 - row)}
            arrow = {"arrowstyle": "-|>", "color": blue, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 11}
            axes.annotate("", **ends, arrowprops=arrow, zorder=6)
            axes.add_patch(Rectangle((moved, n - 1 - old), 1, 1, fill=False, edgecolor=blue, linewidth=1.6, zorder=5))
            row = old
        if is_last:
            _queen(axes, column, n - 1 - row)
            axes.add_patch(Rectangle((column, n - 1 - row), 1, 1, fill=False, edgecolor=blue, linewidth=2.2, zorder=5))
        else:
            for corner, width, height in (((column, 0), 1, n), ((0, n - 1 - row), n, 1)):
                axes.add_patch(Rectangle(corner, width, height, facecolor=orange, alpha=0.45, linewidth=0, zorder=2))
        axes.set_title(title, fontsize=11)
    caption(figure, f"n = {n}. Orange: the column and the row without a queen. No queen attacks another at any time.")
    return figure


def free_share() -> Figure:
    """Draw p(m) against m / n."""
    figure = new_figure(8, 4.2)
    axes = figure.add_subplot()
    for n, colour, marker in zip((8, 27, 300, 10_000), theme().series, "osD^", strict=False):
        levels = estimate(n, seed=1, replicas=4).levels
        share, free = [level.holes / n for level in levels], [level.free for level in levels]
        line = "-" if len(levels) == n else ""
        axes.plot(
            share, free, color=colour, marker=marker, linestyle=line, linewidth=1.2, markersize=6 if n != 27 else 4,
            markeredgecolor=theme().paper, label=f"n = {n:,}",
        )  # fmt: skip
        if not line:
            fit = np.polynomial.Chebyshev.fit([*share, 1], [*np.log(free), 0], 8, domain=[0, 1])
            places = np.linspace(0, 1, 200)
            axes.plot(places, np.exp(fit(places)), color=colour, linewidth=1.2)
    axes.set(xlabel="m / n, share of the columns without a queen", ylabel="p(m)", yscale="log", xlim=(0, 1.02))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}" if str(value)[-1] in "235" else ""))
    axes.legend(loc="lower right")
    axes.set_title("How often a square of a hole column and a hole row is free")
    caption(figure, "estimate(), seed 1, 4 replicas. Lines for n = 300 and 10,000: polynomials through ln p(m).")
    return figure


def _travel(queens: list[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return a solution without a queen, and two hops (column, old row) after which another queen fits."""
    for column, row in enumerate(queens):
        board = [-1 if c == column else r for c, r in enumerate(queens)]
        for one, between in _hops(board, row):
            for two, last in _hops([row if c == one else r for c, r in enumerate(board)], between):
                after = [{one: row}.get(c, r) for c, r in enumerate(board)]
                after[two] = between
                if two != one and last != row and not _attacked(after, column, last):
                    return board, [(one, between), (two, last)]
    raise ValueError("no solution is two hops away")


def _hops(board: list[int], row: int) -> list[tuple[int, int]]:
    """Return the columns whose queen may move to a row, with their rows."""
    return [(c, r) for c, r in enumerate(board) if r >= 0 and not _attacked(board, c, row)]


def _attacked(board: list[int], column: int, row: int) -> bool:
    """Return whether a queen of another column attacks a square along a diagonal."""
    return any(r >= 0 and abs(c - column) == abs(r - row) != 0 for c, r in enumerate(board) if c != column)


def _placed(n: int) -> np.ndarray:
    """Return the first board of seed 1."""
    return solve(n, seed=1, max_steps=0).queens


def _first_pairs(n: int, start: str, seed: int) -> int:
    return solve(n, start=start, seed=seed, max_steps=0, trace=False).initial_pairs


def _free_rows(board: np.ndarray, column: int) -> int:
    """Count the rows of a column that no queen to its left attacks."""
    n = len(board)
    before = np.arange(column)
    free = np.ones(n, bool)
    free[board[:column]] = False
    for on_line in (board[:column] + before - column, board[:column] - before + column):
        free[on_line[(on_line >= 0) & (on_line < n)]] = False
    return int(free.sum())


def _bare(axes: Axes, across: tuple[float, float], up: tuple[float, float]) -> Axes:
    """Hide the frame and the ticks of axes with these limits."""
    axes.set(xlim=across, ylim=up)
    axes.axis("off")
    return axes


def _chessboard(axes: Axes, n: int) -> None:
    axes.set_aspect("equal")
    for c in range(n):
        for r in range(n):
            colour = theme().square if (c + r) % 2 else theme().paper
            axes.add_patch(Rectangle((c, n - 1 - r), 1, 1, facecolor=colour, linewidth=0))


def _queen(axes: Axes, left: float, bottom: float) -> None:
    shape = QUEEN.transformed(Affine2D().translate(left, bottom))
    axes.add_patch(PathPatch(shape, facecolor=theme().ink, linewidth=0, zorder=4))


def _strip(axes: Axes, bits: np.ndarray, bottom: float, colour: str) -> None:
    for place, bit in enumerate(bits):
        face = colour if bit else theme().paper
        axes.add_patch(Rectangle((place, bottom), 1, 1, facecolor=face, edgecolor=theme().faint, linewidth=0.5))


def _diagonals(corner: tuple[float, float], width: float, height: float, up: int, colour: str) -> PathPatch:
    """Return the stripe of all diagonals through a tile in one direction."""
    left, bottom = corner
    # Its edges pass through the two corners that are furthest apart across the diagonals.
    low, high = (bottom + height, bottom) if up > 0 else (bottom, bottom + height)
    (x1, y1), (x2, y2) = (left, low), (left + width, high)
    points = [(x1 - 2, y1 - 2 * up), (x1 + 2, y1 + 2 * up), (x2 + 2, y2 + 2 * up), (x2 - 2, y2 - 2 * up)]
    look = {"facecolor": colour, "edgecolor": theme().paper, "alpha": 0.4, "linewidth": 1}
    return PathPatch(Outline([*points, points[0]], closed=True), **look)


if __name__ == "__main__":
    main()
