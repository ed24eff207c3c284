import AntInput from 'antd/es/input';
import { themed } from '../antd/themed';
import './input.module.css';

export const Input: typeof AntInput = themed(AntInput);
