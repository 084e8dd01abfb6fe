export declare const clientFolder: string;
export interface PackedClient {
    /** Path of the tarball. */
    tarball: string;
    /** Paths in the package, sorted. */
    files: string[];
}
/** Builds and packs `@profile-service/client` as it is published. @param folder where to put the tarball */
export declare function packClient(folder: string): Promise<PackedClient>;
/** Bundles and minifies a program for browsers, as an IIFE. @param name of the global variable with the exports  @param external modules to leave out */
export declare function bundle(input: string, name: string, external?: RegExp[]): Promise<string>;
/** Compiles a folder with a tsconfig.json. Returns the errors of the compiler; empty if there are none. */
export declare const compile: (folder: string) => Promise<string>;
declare const platforms: {
    browser: {
        lib: string[];
        module: string;
        moduleResolution: string;
        types: string[];
    };
    node: {
        lib: string[];
        module: string;
        types: string[];
        typeRoots: string[];
    };
};
/** A tsconfig.json with strict options. @param skipLibCheck whether the types of packages are not checked */
export declare function tsconfig(platform: keyof typeof platforms, { skipLibCheck }: {
    skipLibCheck: boolean;
}): string;
/** What the code blocks of the client's README.md expect to be declared. */
export declare const readmeDeclarations = "\n  import type { ServiceUserCreate } from '@profile-service/client';\n  declare const session: { accessToken: string; tenantId: string | undefined };\n  declare const id: string;\n  declare const file: File;\n  declare const controller: AbortController;\n  declare const clientSecret: string;\n  declare const newUser: ServiceUserCreate;\n  declare function show(text: string): void;\n";
/** Joins the code blocks of the client's README.md to one program. @param language `ts`, or `tsx` for the blocks with React too */
export declare function readReadmeProgram(language: 'ts' | 'tsx'): Promise<string>;
export {};
