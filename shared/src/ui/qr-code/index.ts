/** QR codes. Loaded on demand. */
export { QrCode } from './qr-code';
