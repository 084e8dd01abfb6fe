import { initTRPC } from '@trpc/server';
import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { rows, Problem } from '@profile-service/contracts';
const t = initTRPC.meta<OpenApiMeta>().create();
const router = t.router(Object.fromEntries(rows.map(({name,row}) => [name, (() => { const p = t.procedure.meta({openapi:{method: row.method, path: row.path as `/${string}`, errorResponses: []}}).input(z.object({...row.params, ...row.query, ...(row.body ? {body: row.body}: {})})).output(row.output ?? z.void()); return row.method==='GET'? p.query(()=>undefined as never): p.mutation(()=>undefined as never)})()])));

const doc = generateOpenApiDocument(router, {title:'x', version:'1', baseUrl:'/', defs: {Problem}});
console.log(JSON.stringify(doc,null,1));
