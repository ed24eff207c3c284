/**
 * Saves a chart as PNG, as it looks on the page. `caption` stands above it: a picture goes where nobody knows its page.
 * The code is loaded with the first one.
 */
export const downloadChartPng = async (name: string, svg: SVGSVGElement, caption?: string): Promise<void> =>
  (await import('./chart-png')).downloadChartPng(name, svg, caption);
