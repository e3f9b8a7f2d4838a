"""A WebKitGTK window of any size, which WebKitWebDriver controls: MiniBrowser is never narrower than 447 px.

The last argument names a file of JSON: width, height, script (runs in each page before its own), gps (lat and lon, "denied" or "silent").
"""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

with open(sys.argv[-1], encoding="utf-8") as file:
    options = json.load(file)
gps = options["gps"]
unanswered = []

context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
content = WebKit2.UserContentManager()
content.add_script(
    WebKit2.UserScript.new(
        options["script"],
        WebKit2.UserContentInjectedFrames.ALL_FRAMES,
        WebKit2.UserScriptInjectionTime.START,
        None,
        None,
    )
)
settings = WebKit2.Settings()
settings.set_property("enable-media-stream", True)
settings.set_property("enable-mock-capture-devices", True)
settings.set_property("enable-webgl", True)
settings.set_property("enable-developer-extras", False)
view = WebKit2.WebView(
    web_context=context, user_content_manager=content, settings=settings, is_controlled_by_automation=True
)


def start_positions(manager):
    if isinstance(gps, dict):
        manager.update_position(WebKit2.GeolocationPosition.new(gps["lat"], gps["lon"], 20))
    return True


def answer(_view, request):
    if not isinstance(request, WebKit2.GeolocationPermissionRequest):
        request.allow()
    elif gps == "denied":
        request.deny()
    elif gps == "silent":
        unanswered.append(request)
    else:
        request.allow()
    return True


context.get_geolocation_manager().connect("start", start_positions)
context.connect("automation-started", lambda _context, session: session.connect("create-web-view", lambda _session: view))
view.connect("permission-request", answer)
view.connect("close", lambda _view: Gtk.main_quit())
# Pages see that motion is to be reduced.
Gtk.Settings.get_default().set_property("gtk-enable-animations", False)
window = Gtk.Window()
window.set_decorated(False)
window.set_default_size(options["width"], options["height"])
window.add(view)
window.connect("destroy", lambda _window: Gtk.main_quit())
window.show_all()
Gtk.main()
