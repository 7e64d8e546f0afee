import { readFileSync } from "node:fs";
import { startProgram, cpuMicroseconds, compilerMicroseconds } from "./program";
import { startMeasuredGateway } from "./start-measured-gateway";
import { plainBody, streamBody } from "./scenarios";
const provider = await startProgram("e2e/bench/fake-provider.ts");
const load = await startProgram("e2e/bench/load.ts");
process.chdir("/work/main"); const old = await startMeasuredGateway(provider.ready);
process.chdir("/work/wt/server"); const own = await startMeasuredGateway(provider.ready);
const loop=(pid:number)=>Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`,"utf8").split(" ")[0])/1e3;
const kinds:any={plain32:{body:plainBody,connections:32},plain1:{body:plainBody,connections:1},plain256:{body:plainBody,connections:256},stream32:{body:streamBody(),connections:32}};
const names=(process.argv[2]??"plain32").split(","); const rounds=Number(process.argv[3]??8);
const med=(x:number[])=>x.toSorted((a,b)=>a-b)[Math.floor(x.length/2)]!;
async function go(g:any,k:any,ms:number){const p=g.program.pid;const a=loop(p),b=cpuMicroseconds(p),c=compilerMicroseconds(p);load.send({url:g.program.ready.url,headers:{"content-type":"application/json",authorization:`Bearer ${g.key}`},...k,durationMs:ms});const r:any=await load.receive();if(Object.keys(r.failures).length)console.log("FAIL",r.failures);return{loop:(loop(p)-a)/r.replies,all:(cpuMicroseconds(p)-b-(compilerMicroseconds(p)-c))/r.replies,n:r.replies,p50:r.latencyMs.p50}}
for(const n of names){const k=kinds[n];for(let i=0;i<4;i++){await go(old,k,1500);await go(own,k,1500)}
 const o:any[]=[],w:any[]=[];for(let i=0;i<rounds;i++){const f=i%2?[own,old]:[old,own];for(const g of f)(g===old?o:w).push(await go(g,k,700))}
 console.log(n,"loop old",med(o.map(x=>x.loop)).toFixed(1),"own",med(w.map(x=>x.loop)).toFixed(1),"median ratio",med(o.map((x,i)=>w[i].loop/x.loop)).toFixed(3),"| all old",med(o.map(x=>x.all)).toFixed(1),"own",med(w.map(x=>x.all)).toFixed(1),"ratio",med(o.map((x,i)=>w[i].all/x.all)).toFixed(3),"| p50",med(o.map(x=>x.p50)),med(w.map(x=>x.p50)));}
await old.program.stop();await own.program.stop();process.exit();
