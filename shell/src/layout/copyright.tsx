import { serverTime } from '@pool/shared';

export function Copyright() {
  return (
    <bdi dir="ltr">
      © {new Date(serverTime()).getFullYear()}
      <span> Mining Pool</span>
    </bdi>
  );
}
