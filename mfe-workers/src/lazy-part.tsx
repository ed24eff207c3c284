export { lazyPart } from '@pool/shared/remote';
