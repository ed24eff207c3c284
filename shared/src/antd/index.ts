/**
 * All of antd, with the theme, language, direction and nonce of the pool's own controls. Its hooks have them below its
 * `ConfigProvider`. Without `message` and `notification`: `useToasts` of ui/core shows what they would.
 */
// oxlint-disable-next-line no-restricted-imports -- pages of the pool import single components; this is all of antd
import * as antd from 'antd';
// Names of months and days, by the language.
import 'dayjs/locale/ar';
import 'dayjs/locale/fr';
import 'dayjs/locale/ru';
import { themedParts } from '../ui/antd/themed';

// oxlint-disable-next-line no-restricted-imports -- types cost a page nothing
export type * from 'antd';

const parts = themedParts(antd);
export const Affix: typeof antd.Affix = parts.Affix;
export const Alert: typeof antd.Alert = parts.Alert;
export const Anchor: typeof antd.Anchor = parts.Anchor;
export const App: typeof antd.App = parts.App;
export const AutoComplete: typeof antd.AutoComplete = parts.AutoComplete;
export const Avatar: typeof antd.Avatar = parts.Avatar;
export const BackTop: typeof antd.BackTop = parts.BackTop;
export const Badge: typeof antd.Badge = parts.Badge;
export const BorderBeam: typeof antd.BorderBeam = parts.BorderBeam;
export const Breadcrumb: typeof antd.Breadcrumb = parts.Breadcrumb;
export const Button: typeof antd.Button = parts.Button;
export const Calendar: typeof antd.Calendar = parts.Calendar;
export const Card: typeof antd.Card = parts.Card;
export const Carousel: typeof antd.Carousel = parts.Carousel;
export const Cascader: typeof antd.Cascader = parts.Cascader;
export const Checkbox: typeof antd.Checkbox = parts.Checkbox;
export const Col: typeof antd.Col = parts.Col;
export const Collapse: typeof antd.Collapse = parts.Collapse;
export const ColorPicker: typeof antd.ColorPicker = parts.ColorPicker;
export const ConfigProvider: typeof antd.ConfigProvider = parts.ConfigProvider;
export const DatePicker: typeof antd.DatePicker = parts.DatePicker;
export const Descriptions: typeof antd.Descriptions = parts.Descriptions;
export const Divider: typeof antd.Divider = parts.Divider;
export const Drawer: typeof antd.Drawer = parts.Drawer;
export const Dropdown: typeof antd.Dropdown = parts.Dropdown;
export const Empty: typeof antd.Empty = parts.Empty;
export const Flex: typeof antd.Flex = parts.Flex;
export const FloatButton: typeof antd.FloatButton = parts.FloatButton;
export const Form: typeof antd.Form = parts.Form;
export const Grid: typeof antd.Grid = parts.Grid;
export const Image: typeof antd.Image = parts.Image;
export const Input: typeof antd.Input = parts.Input;
export const InputNumber: typeof antd.InputNumber = parts.InputNumber;
export const Layout: typeof antd.Layout = parts.Layout;
export const List: typeof antd.List = parts.List;
export const Listy: typeof antd.Listy = parts.Listy;
export const Masonry: typeof antd.Masonry = parts.Masonry;
export const Mentions: typeof antd.Mentions = parts.Mentions;
export const Menu: typeof antd.Menu = parts.Menu;
export const Modal: typeof antd.Modal = parts.Modal;
export const Pagination: typeof antd.Pagination = parts.Pagination;
export const Popconfirm: typeof antd.Popconfirm = parts.Popconfirm;
export const Popover: typeof antd.Popover = parts.Popover;
export const Progress: typeof antd.Progress = parts.Progress;
export const QRCode: typeof antd.QRCode = parts.QRCode;
export const Radio: typeof antd.Radio = parts.Radio;
export const Rate: typeof antd.Rate = parts.Rate;
export const Result: typeof antd.Result = parts.Result;
export const Row: typeof antd.Row = parts.Row;
export const Segmented: typeof antd.Segmented = parts.Segmented;
export const Select: typeof antd.Select = parts.Select;
export const Skeleton: typeof antd.Skeleton = parts.Skeleton;
export const Slider: typeof antd.Slider = parts.Slider;
export const Space: typeof antd.Space = parts.Space;
export const Spin: typeof antd.Spin = parts.Spin;
export const Splitter: typeof antd.Splitter = parts.Splitter;
export const Statistic: typeof antd.Statistic = parts.Statistic;
export const Steps: typeof antd.Steps = parts.Steps;
export const Switch: typeof antd.Switch = parts.Switch;
export const Table: typeof antd.Table = parts.Table;
export const Tabs: typeof antd.Tabs = parts.Tabs;
export const Tag: typeof antd.Tag = parts.Tag;
export const theme: typeof antd.theme = parts.theme;
export const TimePicker: typeof antd.TimePicker = parts.TimePicker;
export const Timeline: typeof antd.Timeline = parts.Timeline;
export const Tooltip: typeof antd.Tooltip = parts.Tooltip;
export const Tour: typeof antd.Tour = parts.Tour;
export const Transfer: typeof antd.Transfer = parts.Transfer;
export const Tree: typeof antd.Tree = parts.Tree;
export const TreeSelect: typeof antd.TreeSelect = parts.TreeSelect;
export const Typography: typeof antd.Typography = parts.Typography;
export const Upload: typeof antd.Upload = parts.Upload;
export const version: typeof antd.version = parts.version;
export const Watermark: typeof antd.Watermark = parts.Watermark;
