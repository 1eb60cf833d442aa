// A page of somebody else: a server on a port of its own, so another origin than the page that it embeds.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server of the other site answers: a page by its path, and with which headers. */
export interface Host {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  /** Puts a page there. */
  put(path: string, html: string, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

export async function host(): Promise<Host> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? "/", "http://host").pathname);
    if (!page) {
      // The browser asks for an icon by itself.
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...page.headers }).end(page.html);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    put(path, html, headers = {}) {
      pages.set(path, { html, headers });
      return origin + path;
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** The text of a blog post around something embedded. */
export function post(inside: string, { lang = "en", head = "", style = "", filler = 1 } = {}): string {
  const words = "A paragraph of the post, as long as such paragraphs are, about what the partition does next. ".repeat(4);
  const paragraphs = `<p>${words}</p>`.repeat(filler);
  return `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><title>A post</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0 auto; max-width: 720px; padding: 0 16px; font: 16px/1.6 sans-serif; background: #fff; color: #222 } ${style}</style>
${head}</head><body><main><h1>A post</h1>${paragraphs}${inside}${paragraphs}</main></body></html>`;
}
