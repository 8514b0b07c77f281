import { useText } from './texts.ts';
import { Way, Ways } from './Ways.tsx';

/** Back to the beginning. */
export function ToSignIn() {
  const text = useText();
  return (
    <Ways>
      <Way to="/login">{text('ways.signIn')}</Way>
    </Ways>
  );
}
