import { initializeApp } from 'firebase/app';
import {
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  signInWithEmailAndPassword,
  signOut,
} from 'firebase/auth';

import { serverInfo } from '../data/server-info.ts';

/**
 * The Firebase SDK, with only the parts in use. This module is the only one that imports it, and is itself loaded late.
 * Resolves once the SDK knows whether somebody is signed in.
 */
export async function connectIdentity(changed: (userId: string | undefined) => void) {
  const { identity } = await serverInfo();
  const app = initializeApp({
    apiKey: identity.apiKey,
    projectId: identity.project,
    ...(identity.authDomain ? { authDomain: identity.authDomain } : {}),
  });
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  if (identity.emulator) connectAuthEmulator(auth, window.location.origin, { disableWarnings: true });
  await auth.authStateReady();
  onAuthStateChanged(auth, (user) => changed(user?.uid));
  changed(auth.currentUser?.uid);
  return {
    idToken: async (): Promise<string | undefined> => auth.currentUser?.getIdToken(),
    signIn: async (email: string, password: string): Promise<void> => {
      await signInWithEmailAndPassword(auth, email, password);
    },
    signOut: () => signOut(auth),
  };
}
