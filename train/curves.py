"""The log of a training run as a picture, without any library."""

WIDTH, HEIGHT, MARGIN = 640, 150, 48
SHOWN = [("policy", "loss of the policy"), ("value", "loss of the value"), ("ends", "loss of the ends"), ("black", "share of games won by Black"), ("length", "moves a game")]


def panel(log, key, title, top):
    xs, ys = [row["seconds"] for row in log], [row[key] for row in log]
    low, high, last = min(ys), max(ys), max(xs) or 1
    span = (high - low) or 1
    points = " ".join(
        f"{MARGIN + (WIDTH - 2 * MARGIN) * x / last:.1f},{top + HEIGHT - 20 - (HEIGHT - 50) * (y - low) / span:.1f}" for x, y in zip(xs, ys)
    )
    text = '<text x="{}" y="{}" font-size="11" text-anchor="{}">{}</text>'
    return "\n".join([
        f'<polyline fill="none" stroke="#1b6ca8" stroke-width="1.5" points="{points}"/>',
        text.format(MARGIN, top + 16, "start", title),
        text.format(MARGIN - 4, top + 34, "end", f"{high:.3g}"),
        text.format(MARGIN - 4, top + HEIGHT - 18, "end", f"{low:.3g}"),
        text.format(WIDTH - MARGIN, top + HEIGHT - 4, "end", f"{last} s"),
    ])  # fmt: skip


def write(log, path):
    height = HEIGHT * len(SHOWN)
    body = "\n".join(panel(log, key, title, HEIGHT * i) for i, (key, title) in enumerate(SHOWN))
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
        )
