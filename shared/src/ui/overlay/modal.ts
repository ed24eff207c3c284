import AntModal from 'antd/es/modal';
import { themed } from '../antd/themed';

export const Modal: typeof AntModal = themed(AntModal);
