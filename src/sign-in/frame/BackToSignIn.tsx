import { ScreenLink, ScreenLinks } from './ScreenLinks.tsx';
import { useText } from './texts.ts';

/** A link back to the sign-in form. */
export function BackToSignIn() {
  const text = useText();
  return (
    <ScreenLinks>
      <ScreenLink to="/login">{text('links.signIn')}</ScreenLink>
    </ScreenLinks>
  );
}
