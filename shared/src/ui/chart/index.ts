/** The zooming chart (G2, about 300 KB): loaded only when somebody asks to zoom. Normally through `<SeriesChart lane />`. */
export { default as ZoomChart } from './zoom-chart';
