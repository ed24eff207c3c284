/** Saves a chart as PNG: its SVG with the computed styles, on the page's surface colour. */
import { downloadBlob } from '../csv';

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'font-family',
  'font-size',
  'font-weight',
  'stop-color',
  'stop-opacity',
  'direction',
  'unicode-bidi',
];
const PADDING = 16;
/** Height of the line above the chart that says what it shows. */
const CAPTION = 24;
const SCALE = 2;

function styledCopy(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const targets = copy.querySelectorAll<SVGElement>('*');
  svg.querySelectorAll<SVGElement>('*').forEach((element, index) => {
    const computed = getComputedStyle(element);
    for (const name of STYLES) targets[index]?.style.setProperty(name, computed.getPropertyValue(name));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return copy;
}

async function chartPng(svg: SVGSVGElement, caption: string | undefined): Promise<Blob> {
  const { width, height: drawn } = svg.viewBox.baseVal;
  const above = caption ? CAPTION : 0;
  const height = drawn + above;
  const image = new Image();
  const text = new XMLSerializer().serializeToString(styledCopy(svg));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * PADDING) * SCALE;
  canvas.height = (height + 2 * PADDING) * SCALE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(svg).getPropertyValue('--surface').trim() || '#fff';
  context.fillRect(0, 0, width + 2 * PADDING, height + 2 * PADDING);
  if (caption) {
    const style = getComputedStyle(svg);
    const isRtl = document.dir === 'rtl';
    context.font = `500 12px ${style.fontFamily}`;
    context.fillStyle = style.getPropertyValue('--ink').trim() || '#000';
    context.direction = isRtl ? 'rtl' : 'ltr';
    context.textAlign = 'start';
    context.fillText(caption, isRtl ? width + PADDING : PADDING, PADDING + 12, width);
  }
  context.drawImage(image, PADDING, PADDING + above, width, drawn);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/png'),
  );
}

export const downloadChartPng = async (name: string, svg: SVGSVGElement, caption?: string): Promise<void> =>
  downloadBlob(name, await chartPng(svg, caption));
