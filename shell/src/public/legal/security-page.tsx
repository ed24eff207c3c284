import { LegalPage } from './legal-page';

/** `/pages/security`: for who has found a vulnerability; `security.txt` leads here. */
export default function SecurityPage() {
  return <LegalPage name="security" title="public.security" parts={['how', 'scope', 'rules', 'answer']} />;
}
