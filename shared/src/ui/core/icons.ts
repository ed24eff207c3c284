/** The icons of the product: Lucide outline at 1.75 stroke. 18 px in the navigation, 16 in controls, 14 inline. */
export {
  Activity, ArrowDown, ArrowRight, ArrowUp, BellOff, BellRing, Bell, BookOpen, CalendarDays, Check, CheckCheck, ChevronDown, ChevronLeft, ChevronRight, ChevronUp, ChevronsUpDown,
  CircleUser, Clock, Coins, Copy, Cpu, Download, Ellipsis, ExternalLink, Eye, FileDown, Funnel, Gift, GripVertical, Info, KeyRound, Languages, LayoutDashboard, List, LogOut, Mail,
  Menu as MenuIcon, Minus, Monitor, Moon, Network, PanelLeft, PanelLeftClose, Pause, Pencil, Play, Plug, Plus, QrCode as QrCodeIcon, RefreshCw, ScrollText, Search, Settings, Share2, SlidersHorizontal, Ban,
  Sun, Trash2, TriangleAlert, Unplug, UserRound, Users, Wallet, WifiOff, X, ZoomIn, ZoomOut, CircleHelp, Calculator, Banknote, ArrowUpToLine,
  LucideProvider,
} from 'lucide-react';
export type { LucideIcon } from 'lucide-react';
