/** Import once, first, in the app's entry: fonts, then colours of the brands, then tokens and the reset. */
import "./fonts.css";
import "virtual:brand.css";
import "./theme.css";
