/**
 * The zooming chart (G2, about 300 KB): loaded only when the user zooms. Normally used through `<SeriesChart lane />`.
 */
export { default as ZoomChart } from './zoom-chart';
