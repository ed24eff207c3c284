import { LegalPage } from './legal-page';

export default function PrivacyPage() {
  return (
    <LegalPage name="privacy" title="footer.privacy" parts={['what', 'why', 'browser', 'who', 'long', 'rights']} />
  );
}
