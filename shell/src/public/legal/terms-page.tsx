import { LegalPage } from './legal-page';

export default function TermsPage() {
  return (
    <LegalPage name="terms" title="footer.terms" parts={['service', 'account', 'money', 'address', 'fees', 'end']} />
  );
}
