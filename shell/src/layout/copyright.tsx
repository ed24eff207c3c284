const YEAR = new Date().getFullYear();

export function Copyright() {
  return <bdi dir="ltr">© {YEAR} Mining Pool</bdi>;
}
