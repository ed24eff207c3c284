const YEAR = new Date().getFullYear();

export function Copyright() {
  return (
    <bdi dir="ltr">
      © {YEAR}
      <span> Mining Pool</span>
    </bdi>
  );
}
