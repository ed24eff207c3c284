import { LegalPage } from './legal-page';

/** `/pages/terms` */
export default function TermsPage() {
  return (
    <LegalPage name="terms" title="footer.terms" parts={['service', 'account', 'money', 'address', 'fees', 'end']} />
  );
}
