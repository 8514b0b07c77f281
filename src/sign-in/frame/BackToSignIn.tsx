import { ScreenLink, ScreenLinks } from './ScreenLinks.tsx';
import { useText } from './texts.ts';

/** A link back to the sign-in form. */
export function BackToSignIn() {
  const t = useText();
  return (
    <ScreenLinks>
      <ScreenLink to="/login">{t('links.signIn')}</ScreenLink>
    </ScreenLinks>
  );
}
