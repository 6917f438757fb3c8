"""Help: the keys and the mouse, and what this program is."""

_NAVIGATION = {
    "blender": (
        ("Turn / move / zoom", "middle drag / Shift + middle / Ctrl + middle"),
        ("without a middle button", "Alt + left / Alt + Shift + left / Alt + Ctrl + left"),
        ("Brush radius / strength", "F / Shift + F, move, click (right click or Esc: as before)"),
        ("Move, turn, scale the selection", "G, R, S; Ctrl snaps, Esc takes it back"),
        ("See the whole map", "Home"),
    ),
    "maya": (
        ("Turn / move / zoom", "Alt + left / Alt + middle / Alt + right"),
        ("Brush radius / strength", "B / M, move, click (right click or Esc: as before)"),
        ("Move, turn, scale the selection", "W, E, R; Ctrl snaps, Esc takes it back"),
        ("See the whole map", "F or Home"),
    ),
}
_COMMON = (
    ("Zoom to the pointer", "wheel, pinch; two fingers turn, with Shift move"),
    ("Fly", "hold right, W A S D, Q down, E up, Shift faster, wheel changes the speed"),
    ("Walk", "Shift + W on and off"),
    ("Views", "number pad 7 above, 1 north, 3 west, Ctrl 1 south, Ctrl 3 east"),
    ("Sculpt", "left drag; Ctrl inverts, Shift smooths, Esc takes the stroke back"),
    ("Draw on from the last stroke", "Shift + click"),
    ("Clone's source", "Ctrl + click with the Clone brush"),
    ("Brushes", "1 to 9"),
    ("Select", "L lasso, Shift + L rectangle, U flood; Shift adds, Ctrl takes away; Ctrl + D none"),
    ("Mask", "Shift + M shows it, Shift + X freezes, / isolates, Ctrl + Shift + I inverts"),
    ("See form", "Shift + Z wireframe, Shift + C contours, Shift + H readout"),
    ("Kept views", "Ctrl + F5 to F8 keep, F5 to F8 look through"),
    ("Brush radius / strength", "[ ] / Shift + [ ]"),
)


def keys_text(navigation: str) -> str:
    """The keys and mouse gestures, as rich text."""
    rows = "".join(
        f"<tr><td style='padding: 3px 18px 3px 0'><b>{what}</b></td><td style='padding: 3px 0'>{how}</td></tr>"
        for what, how in (*_NAVIGATION[navigation], *_COMMON)
    )
    return f"<h3>Keys and mouse ({navigation.capitalize()})</h3><table>{rows}</table>"


def about_text() -> str:
    """What this program is, as rich text."""
    import importlib.metadata

    version = importlib.metadata.version("skerry")
    return f"<h3>Skerry {version}</h3><p>An editor for islands and coasts.</p>"
