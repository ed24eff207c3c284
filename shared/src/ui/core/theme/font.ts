/** Same as `--font` in variables.css. */
export const FONT_FAMILY =
  'Inter, "Inter Fallback", "IBM Plex Sans Arabic", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
