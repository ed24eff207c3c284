/** Saves a chart as PNG with `caption` above it. The code is loaded with the first one. */
export const downloadChartPng = async (name: string, svg: SVGSVGElement, caption?: string): Promise<void> =>
  (await import(/* webpackChunkName: "series-chart" */ './chart-png')).downloadChartPng(name, svg, caption);
