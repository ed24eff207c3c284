/** The part that api/src/platform/lock.ts uses. */
declare module 'fs-native-extensions' {
  /** Locks the whole file for this open descriptor; false while another descriptor holds it. */
  export function tryLock(fd: number): boolean;
}
