/** Rarely used, large parts. Loaded on demand. */
import AntCollapse from 'antd/es/collapse';
import AntSteps from 'antd/es/steps';
import { themed } from '../antd/themed';

export const Collapse: typeof AntCollapse = themed(AntCollapse);
export const Steps: typeof AntSteps = themed(AntSteps);
export { QrCode } from './qr-code';
