/** Kept for remotes built against @pool/shared 1.1; later ones have no use for it: `SeriesChart` zooms by itself. */
export { ZoomChart } from './zoom-chart';
