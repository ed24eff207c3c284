/** The icons of the product: Lucide outline at 1.75 stroke. 18 px in the navigation, 16 in controls, 14 inline. Only those in use: add one here when a page needs it. */
export {
  ArrowDown, ArrowRight, ArrowUp, ArrowUpToLine, Bell, BellOff, CalendarDays, Check, CheckCheck, ChevronDown, ChevronRight, ChevronUp,
  ChevronsUpDown, CircleUser, Copy, Cpu, Download, Gift, Languages, LayoutDashboard, LogOut, LucideProvider, Menu as MenuIcon, Monitor,
  Moon, PanelLeft, PanelLeftClose, QrCode as QrCodeIcon, RefreshCw, Search, SlidersHorizontal, Sun, TriangleAlert, Users, Wallet,
  X,
} from 'lucide-react';
export type { LucideIcon } from 'lucide-react';
