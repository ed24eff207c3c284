import Dropdown from 'antd/es/dropdown';
import { themed } from './themed';

export default themed(Dropdown);
