import AntModal from 'antd/es/modal';
import { themed } from '../antd/themed';
import './modal.module.css';

export const Modal: typeof AntModal = themed(AntModal);
