import { chromium } from '@playwright/test';
const base='http://127.0.0.1:7966';
const b=await chromium.launch({executablePath:'/usr/bin/chromium'});
const ctx=await b.newContext({viewport:{width:1440,height:900},reducedMotion:'reduce'});
await ctx.addInitScript(`{ const { getItem } = Storage.prototype; Storage.prototype.getItem = function (key) { return key.startsWith('quarterdeck-tour:') ? 'yes' : getItem.call(this, key); }; }`);
const page=await ctx.newPage();
page.on('pageerror',e=>console.log('pageerror',e.message)); page.on('console',m=>m.type()==='error'&&console.log('console',m.text().slice(0,300)));
const press=async(k)=>{for(const x of k.split(' '))await page.keyboard.press(x)};
const shot=async(n)=>{await page.waitForTimeout(700);await page.screenshot({path:`/tmp/w/d2-shots/${n}.png`})};
const email=process.argv[2]??'administrator@northwind.example';
await page.goto(base+'/');
await page.getByRole('textbox',{name:'Email'}).waitFor();
await page.keyboard.type(email);await press('Tab');await page.keyboard.type('Quarterdeck-demo-1');await press('Enter');
const no=page.getByRole('button',{name:'Not now'});
await no.or(page.getByRole('contentinfo',{name:'Status'})).waitFor();
if(await no.isVisible()){await no.focus();await press('Enter');}
await page.getByRole('contentinfo',{name:'Status'}).getByText('live',{exact:true}).waitFor();
const steps=(process.argv[3]??'all').split(',');
const on=s=>steps.includes('all')||steps.includes(s);
await press('g Shift+P'); await page.waitForTimeout(1500);
if(on('open')){
await shot('list');
await press('j'); await press('v'); await page.waitForTimeout(4000);
console.log(page.url());
await shot('open-light');
await press('F6');await press('ArrowRight');await press('ArrowRight');await page.waitForTimeout(300);await shot('field-light');
await page.emulateMedia({colorScheme:'dark'});await shot('field-dark');await page.emulateMedia({colorScheme:'light'});
await press('F6');await press('ArrowDown');await press('End');await shot('computed');
await press('F6');await press('F6');
await press('Control+Home');
await page.keyboard.press('Control+f').catch(()=>{});
}
if(on('change')){
 await page.evaluate(()=>0);
 await press('Control+End');
 await page.keyboard.type('  extra:\nvalue: battery / 10.0\n');
 await page.waitForTimeout(4500); await shot('changed');
 await press('F6 F6 F6'); await press('n'); await press('Enter'); await page.waitForTimeout(400); await shot('diff-light');
 await press('i'); await page.waitForTimeout(700);
 await page.emulateMedia({colorScheme:'dark'});await shot('diff-dark');await page.emulateMedia({colorScheme:'light'});
 await press('Alt+Enter'); await page.waitForTimeout(1500); await shot('plan');
 await page.setViewportSize({width:1024,height:700});await shot('plan-1024');await page.emulateMedia({colorScheme:'dark'});await shot('plan-1024-dark');await page.emulateMedia({colorScheme:'light'});await page.setViewportSize({width:1440,height:900});
}
if(on('error')){
 await press('F6'); await press('Control+End'); await page.keyboard.type('seq: [\n'); await page.waitForTimeout(2500); await shot('error');
}
if(on('create')){
 await page.goto(base+'/developer-tools/parsers/create'); await page.waitForTimeout(4000); await shot('create'); console.log(page.url());
}
await b.close();
