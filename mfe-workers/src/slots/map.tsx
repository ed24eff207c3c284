import { defineSlot } from '@pool/shared/remote';
import { DashboardMap } from '../pages/workers/map/dashboard-map';

export const { bootstrap, mount, update, unmount } = defineSlot(DashboardMap);
