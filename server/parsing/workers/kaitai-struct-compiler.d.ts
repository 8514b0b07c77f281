/** The package includes no types. */
declare module 'kaitai-struct-compiler' {
  interface Importer {
    importYaml(name: string, mode: string): Promise<unknown>;
  }
  const compiler: {
    /** @returns the generated files by name */
    compile(language: string, definition: object, importer: Importer, debug: boolean): Promise<Record<string, string>>;
  };
  export default compiler;
}
