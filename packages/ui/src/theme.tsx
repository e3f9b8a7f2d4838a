/** Import first in the app's entry. The order matters: fonts, brand colors, then tokens and the reset, then the utilities. */
import "./fonts.css";
import "virtual:brand.css";
import "./theme.css";
import "./utilities.css";
