/** The style of all pages, in light and dark. */
export const style = `
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1c2321;--soft:#57625e;--line:#dfe4e1;--accent:#0b6b4f;--tint:#e6f3ee;--code:#f1f4f2;--warn:#8a4b00;--warn-bg:#fdf1dd;--bad:#a3262a;--bad-bg:#fdeaea;--mark:#fff4c2}
@media (prefers-color-scheme:dark){:root{--bg:#121715;--card:#1a211e;--text:#e6ece9;--soft:#a3b0aa;--line:#2d3733;--accent:#6fd3ae;--tint:#1c352c;--code:#232c28;--warn:#f0b866;--warn-bg:#37290f;--bad:#f39a97;--bad-bg:#3b1d1d;--mark:#1c352c}}
*{box-sizing:border-box}
html{scroll-padding-top:5.5rem}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--accent);text-underline-offset:.18em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
h1{font-size:2.1rem;line-height:1.2;margin:0 0 .6rem;letter-spacing:-.02em}
h2{font-size:1.35rem;line-height:1.3;margin:2.6rem 0 .4rem;letter-spacing:-.01em}
h3{font-size:1.02rem;line-height:1.4;margin:0 0 .35rem}
p{margin:.3rem 0 .7rem;max-width:46rem}
code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{font-size:.88em;background:var(--code);padding:.1em .32em;border-radius:4px;overflow-wrap:anywhere}
pre{position:relative;margin:.5rem 0 1rem;padding:.85rem 5.2rem .85rem 1rem;background:var(--code);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.84rem;line-height:1.6}
pre code{font-size:inherit;background:none;padding:0}
kbd{font-size:.8em;border:1px solid var(--line);border-bottom-width:2px;border-radius:4px;padding:.05em .4em;background:var(--card)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;z-index:3;background:var(--card);padding:.4rem .8rem}
.site{display:flex;flex-wrap:wrap;gap:.4rem 1.6rem;align-items:center;padding:.8rem max(1.25rem,calc((100% - 61.5rem)/2));border-bottom:1px solid var(--line);background:var(--card)}
.brand{display:flex;align-items:center;gap:.6rem;font-weight:650;color:inherit;text-decoration:none;margin-right:auto}
.site ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;list-style:none;margin:0;padding:0}
main{max-width:64rem;margin:0 auto;padding:2.4rem 1.25rem 5rem}
.lead{font-size:1.12rem;color:var(--soft);max-width:44rem;margin-bottom:1.2rem}
.soft{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.15rem}
.card+.card{margin-top:.9rem}
.card>:last-child,.card>:last-child>:last-child{margin-bottom:0}
.cards>.card{margin:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:.9rem;margin:1rem 0 0;padding:0;list-style:none}
.cards a{font-weight:600}
.cards p{margin:.2rem 0 0;color:var(--soft);font-size:.94rem}
.table{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.8rem 0}
table{border-collapse:collapse;width:100%;font-size:.94rem}
th,td{text-align:left;vertical-align:top;padding:.55rem .9rem;border-bottom:1px solid var(--line)}
tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;font-size:.86rem}
tbody th{font-weight:600;white-space:nowrap}
td code{white-space:nowrap;overflow-wrap:normal}
ol.steps{list-style:none;counter-reset:step;padding:0;margin:1rem 0}
ol.steps>li{counter-increment:step;position:relative;padding:0 0 .6rem 3rem}
ol.steps>li::before{content:counter(step);position:absolute;left:0;top:0;width:1.9rem;height:1.9rem;display:grid;place-items:center;border-radius:50%;background:var(--tint);color:var(--accent);font-weight:650;font-size:.92rem}
button{font:inherit;font-size:.78rem;color:var(--accent);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.15rem .6rem;cursor:pointer}
button:hover{border-color:var(--accent)}
.sample{position:relative}
.sample button{position:absolute;top:.5rem;right:.5rem;z-index:1}
.find{position:sticky;top:0;z-index:2;background:var(--bg);padding:.8rem 0;margin:0 0 .4rem;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
.find[hidden]{display:none}
.find label{font-weight:600}
.find input{flex:1 1 16rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:8px;padding:.45rem .8rem}
.find output{color:var(--soft);font-size:.92rem;min-width:8.5rem}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:1rem 0;padding:0}
.chips a{display:block;padding:.25rem .75rem;border:1px solid var(--line);border-radius:999px;background:var(--card);text-decoration:none;font-size:.92rem}
.chips a:hover{border-color:var(--accent)}
.code{margin:.8rem 0}
.code:target{border-color:var(--accent);background:var(--mark);box-shadow:0 0 0 2px var(--accent)}
.code h3{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:baseline}
.code h3 a{text-decoration:none;color:inherit;font-size:1.05rem}
.code h3 a:hover code{text-decoration:underline}
.code h3 code{font-weight:650;background:none;padding:0}
.code .name{font-weight:400;color:var(--soft)}
.status{font-size:.82rem;font-weight:650;border-radius:5px;padding:.05rem .45rem;background:var(--warn-bg);color:var(--warn)}
.status.s5{background:var(--bad-bg);color:var(--bad)}
.tag{font-size:.82rem;border:1px solid var(--line);border-radius:5px;padding:.05rem .45rem;color:var(--soft)}
.code dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.3rem 1rem;margin:.5rem 0 .2rem}
.code dt{color:var(--soft);font-weight:600;font-size:.92rem}
.code dd{margin:0;max-width:44rem}
details summary{cursor:pointer;color:var(--accent);width:fit-content}
.code dd ul{margin:.3rem 0;padding:0;list-style:none;columns:2 16rem;font-size:.92rem}
.code li{break-inside:avoid;padding:.12rem 0}
@media (max-width:38rem){#keys{display:none}.find output{min-width:0}.find input{flex-basis:9rem}.code dl{grid-template-columns:1fr;gap:.1rem}.code dd{margin-bottom:.5rem}h1{font-size:1.7rem}}
`;
