/**
 * The most common passwords, in lowercase, without duplicates. This is our own list. The lists in packages have 30,000
 * entries or more, and are many times larger than all sign-in screens together. Most of their passwords score low
 * anyway because of their length and character mix.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `000000 0000000 00000000 0123456789 0987654321 100000 1029384756 102030 111111 1111111 11111111 111111111 1111111111 111222 112233 11223344
  1122334455 1212 121212 12121212 123123 12312312 123123123 123234 123321 12341234 1234321 12344321 12345 123450 1234512345 123454321 12345432 123456
  1234560 12345600 1234565432 1234566 1234567 12345670 12345678 123456780 123456789 1234567890 12345678900 12345678910 123456789a 123456789q
  123456a 123456abc 123456b 123456c 123456d 123456j 123456k 123456m 123456q 123456qwerty 123456s 123456z 12345a 12345abc 12345q 12345qwert
  12345qwerty 12345t 1234abcd 1234qwer 123654 123654789 123789 123987 123abc 123asd 123qwe 123qweasd 123qweasdzxc 12413 124578 131313 134679
  134679852 13579 1357924680 135790 142536 142857 147147 147258 147258369 147852 147852369 151515 159357 159753 159951 161616 171717 181818
  18436572 191919 1a2b3c 1a2b3c4d 1g2w3e4r 1passwor 1password 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qazxsw2
  1qaz!qaz 1v7upjw3nt 20002000 20012001 20102010 201314 202020 212121 222222 22222222 223344 225588 232323 242424 246810 252525 256256 258456
  258852 292513 3.1415926 303030 310310 313131 314159 321321 321456 321654 3215987 323232 333333 33333333 333666 333888 3rjs1la7qe 404040 420420
  4444 444444 44444444 445566 456123 456456 456654 456789 456852 4815162342 5050 505050 5201314 5211314 520520 5555 55555 555555 5555555 55555555
  555666 556677 565656 567890 584520 6666 66666 666666 6666666 66666666 666777 654123 654321 6543210 654654 656565 665544 676767 686868 696969
  69696969 7654321 753159 753951 741852 741852963 747474 757575 767676 771313 777777 7777777 77777777 787878 789123 789456 789456123 789654
  789789 797979 808080 818181 828282 838383 848484 852456 852963 858585 868686 87654321 878787 88888 888888 8888888 88888888 8675309 898989 909090
  951753 963852 963852741 969696 987456 987456321 9876543 98765432 987654321 9876543210 987987 989898 99999 999999 9999999 99999999 999999999
  a12345 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 a838hfid aa123456 aa12345678 aaa111 aaaaa aaaaaa aaaaaaa aaaaaaaa abc123 abc1234
  abc12345 abc123456 abcabc abcd1234 abcd123 abcde abcdef abcdefg abcdefgh access adidas admin admin1 admin12 admin123 admin1234 admin@123
  administrator adobe123 adrian airborne alaska albert alejandro alex alexande alexander alexandra alexis alfred alice alicia allison alpha amanda
  america amsterdam anderson andrea andrew android angel angel1 angela angels animal anthony antonio apollo apple apples april arsenal
  asd123 asdasd asdasdasd asdf asdf1234 asdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl ashley asshole august austin autumn awesome azerty
  azertyuiop babygirl babylon bailey ballin banana bandit barbara barcelona barney baseball baseball1 basket basketball batman batman1 beatles
  beautiful beaver beer benfica benjamin bertha bigdaddy bigdog birdie biteme blabla black blahblah blaster blessed blink182 blizzard blue
  bond007 bonnie booboo booger boomer boston brandon brandy brazil brian bronco broncos brooklyn brother bubba bubbles buddy bulldog   buster butter buttercup butterfly calvin camaro cameron canada carlos carmen caroline casper cassie changeit changeme charlie charlie1 charlotte
  cheese chelsea chelsea1 chester chicago chicken chocolate chris christ christian christin christina christine christopher classic claudia
  cocacola coffee college compaq computer computer1 connor cookie cool cooper corvette cowboy cowboys creative cristina crystal
  dakota dallas daniel daniela darkness david debbie default denise dennis destiny dexter diablo diamond dolphin dolphins donald dragon dragon1
  dreams drowssap eagle eagles edward einstein elephant elizabeth eminem england enter europe everton extreme falcon family fender ferrari   firebird fishing flower flowers florida football football1 forever formula1 france francis frank frankie freddy freedom freepass friend friends   gabriel games garfield gateway gemini genesis george gfhjkm giants ginger gizmodo godzilla golden golf golfer good
  google gordon grandma green gregory guest guitar gunner hammer hannah happy harley harry heather hello hello1 hello123 hellokitty
  helpme hockey holiday hollywood home homer hotdog hunter hunter2 iceman iloveu iloveyou iloveyou1 iloveyou2 india internet
  isabella jackie jackson jaguar james jasmine jason jasper jennifer jeremy jessica jesus jesus1 john johnny johnson jonathan jordan jordan23 joseph
  joshua juliana junior justin katie kevin killer kimberly kitten kristina lakers lalala lasvegas lauren leonardo letmein letmein1
  letmein123 liberty lifehack linkedin lizard london looking lorenzo lovely loveme lover lovers loveyou lucky maggie magic manchester manager mango
  marina marine marlboro martin marvin master master1 matrix matthew maverick maxwell melissa mercedes merlin metallica mexico michael michael1
  michelle mickey midnight miller minecraft mississippi mobilemail mohammed money monica monkey monkey1 monster monster1 morgan mother motorola
  mustang mustang1 mylove mynoob myspace1 naruto nascar natasha nathan netscape newyork nicholas nicole nintendo nirvana nothing number1
  oliver orange orlando p@55w0rd p@ssw0rd p@ssword pa$$word pa55w0rd pa55word packers pamela panther pantera parola pass pass123 pass1234 passat
  passord passpass passw0rd passw0rd1 passwd password password! password0 password01 password1 password1! password12 password123 password1234
  password2 password2024 password2025 password2026 password3 patricia patrick peaches peanut pepper phoenix player please pokemon polska
  porsche power praise precious prince princess princess1 private purple q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qaz123 qazqaz qazwsx
  qazwsx123 qazwsxedc quarterdeck qwaszx qwe123 qweasd qweasdzxc qweqwe qweqweqwe qwer1234 qwerasdf qwert qwert123 qwert1234 qwert12345 qwerty qwerty1
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty7 qwertyu qwertyui qwertyuiop qwertz qwertzuiop qwqwqw rabbit rachel raiders rainbow
  ranger rangers realmadrid rebecca redskins redsox redwings remember richard robert rocket rockyou ronaldo root root123 rosebud rosie rush2112
  sabrina samantha samsung sandra saturn scooby scooter scorpion scotland sebastian secret secret1 secret123 security sergey server service   shadow shadow1 shannon shelby sierra silver simple skippy slayer slipknot smith smokey snoopy snowball soccer soccer1 sophie spanky sparky
  spider spiderman spring sqladmin stalker stargate starwars startrek steelers stella stephen steven sticky summer summer1 summer123 summer2024
  summer2025 sunflower sunset sunshine sunshine1 super superman superman1 superstar support swordfish sydney sysadmin system taylor teacher tekken
  temp temp123 temp1234 temppass tequiero teresa test test1 test12 test123 test1234 test12345 tester testing testtest thomas thunder tiffany tigers tigger
  tigger1 tinkerbell toor toyota travis trinity trustno1 tucker tweety unknown user user1 user123 username valentina vanessa victor victoria viking
  vincent voyager walter warcraft warrior welcome welcome1 welcome12 welcome123 welcome1234 westside whatever whatever1 william willie wilson windows winner winston winter
  winter123 winter2024 winter2025 wizard wolf wolfgang wordpass xavier xbox360 xxxxxx xxxxxxxx yamaha yankee yankees yellow zaq12wsx zaq1zaq1 zaqwsx
  zinch zorro zxc123 zxcasdqwe zxcv1234 zxcvb zxcvbn zxcvbnm zxcvbnm1 zxcvbnm123 zxczxc zzzzzz zzzzzzzz`.split(/\s+/),
);
