import AntInput from 'antd/es/input';
import { themed } from '../antd/themed';

export const Input: typeof AntInput = themed(AntInput);
