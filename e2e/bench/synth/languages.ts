/**
 * Parts of names by language: syllables for generated words, kinds of places, and countries.
 * @module
 */

export interface Language {
  /** BCP 47, the key in `names.common`. */
  readonly code: string;
  /** ISO 3166-1 alpha-2, separated by spaces. Other countries use the first language. */
  readonly countries: string;
  /** Separated by spaces. */
  readonly syllables: string;
  /** Kinds of places, the most frequent first; separated by `|`. */
  readonly kinds: string;
  /** Separator of words; empty if the script has no spaces. */
  readonly space: "" | " ";
  /** True if the kind is before the name, as in "Hotel Lima". */
  readonly isKindFirst: boolean;
}

function language(
  code: string,
  countries: string,
  syllables: string,
  kinds: string,
  shape: Partial<Pick<Language, "space" | "isKindFirst">> = {},
): Language {
  return { code, countries, syllables, kinds, space: " ", isKindFirst: false, ...shape };
}

const KIND_FIRST = { isKindFirst: true };
const UNSPACED = { space: "" } as const;

/** The first is the default. */
export const LANGUAGES: readonly Language[] = [
  language(
    "en",
    "US GB CA AU NZ IE ZA NG KE GH UG ZW JM TT SG PH",
    "mar ton ber ley wood har well stan ford ken mil ash ridge wick ham ro dale win ches ter lan sten bar ker field bro ok hil cre st gar ner pat el sul li van o mac don mor gan rey nol ds",
    "Restaurant|Services|Shop|Hair & Beauty Salon|Church|Park|Café|Dental Clinic|School|Garage|Hotel|Pharmacy|Law Offices|Grocery|Realty|Fitness|ATM|Bar & Grill|Physical Therapy and Wellness Center|Community Library|Insurance Agency|Veterinary Hospital",
  ),
  language(
    "es",
    "ES MX AR CO PE CL VE EC GT BO DO HN PY SV NI CR PA UY CU GQ PR",
    "gar cí a ro drí guez mar tí nez ló pez san ta cruz ri be ra mon te ve ga del va lle go mez her nán dez cas ti llo paz lu na sol ál va rez or te ga",
    "Restaurante|Tienda|Farmacia|Hotel|Iglesia|Peluquería|Taller Mecánico|Escuela Primaria|Panadería|Abarrotes|Consultorio Dental|Ferretería|Centro de Salud|Papelería|Taquería|Clínica Veterinaria|Parque|Inmobiliaria|Academia de Idiomas y Preparación de Oposiciones",
    KIND_FIRST,
  ),
  language(
    "pt",
    "BR PT AO MZ CV GW ST TL",
    "sil va san tos oli vei ra cos ta pe rei al mei da fer na ndes ro dri gues lo pes ca bral mo ta gon ça lo ri bei ro mar ques são jo ão",
    "Restaurante|Loja|Farmácia|Padaria|Igreja|Salão de Beleza|Escola Municipal|Mercado|Oficina|Hotel|Clínica Odontológica|Academia|Posto de Combustível|Pousada|Imobiliária|Auto Peças|Associação dos Moradores e Amigos do Bairro",
    KIND_FIRST,
  ),
  language(
    "fr",
    "FR BE MC LU SN CI ML BF NE TG BJ CM GA CG CD MG HT RE GP MQ GF PF NC",
    "du pont mar tin ber nard le roy mo reau lau rent si mon gar nier fau re blan chet ri chard gi rard meu nier châ teau vil le neuve bel lec our",
    "Restaurant|Boulangerie|Pharmacie|Hôtel|Église|Coiffure|École|Garage|Tabac|Café|Cabinet Dentaire|Boucherie|Mairie|Immobilier|Médiathèque|Fleuriste|Centre Communal d'Action Sociale|Opticien",
    KIND_FIRST,
  ),
  language(
    "de",
    "DE AT CH LI",
    "mül ler schmi dt schnei der fi scher we ber mey er wag ner be cker hoff mann schä fer koch bau er rich ter klein wolf schrö der neu mann schwarz zim mer",
    "Restaurant|Bäckerei|Apotheke|Hotel|Kirche|Friseur|Grundschule|Autohaus|Gasthof|Café|Zahnarztpraxis|Metzgerei|Rathaus|Immobilien|Stadtbibliothek|Blumenladen|Rechtsanwaltskanzlei|Freiwillige Feuerwehr|Physiotherapie und Krankengymnastik",
  ),
  language(
    "it",
    "IT SM VA",
    "ros si rus so fer ra ri bian chi ro ma no co lom bo ric ci ma ri no gre co bru no gal lo con ti de lu ca cos ta gior da no",
    "Ristorante|Bar|Farmacia|Albergo|Chiesa|Parrucchiere|Scuola|Officina|Trattoria|Pizzeria|Studio Dentistico|Macelleria|Municipio|Immobiliare|Biblioteca|Tabaccheria|Autoscuola|Agriturismo",
    KIND_FIRST,
  ),
  language(
    "nl",
    "NL SR AW CW",
    "jan sen de vries van den berg bak ker dij kstra vis ser smit mei er mul der bos vos pe ters hen driks dek ker brou wer",
    "Restaurant|Bakkerij|Apotheek|Kapsalon|Kerk|Basisschool|Garage|Eetcafé|Tandartspraktijk|Slagerij|Makelaardij|Bibliotheek|Fietsenwinkel|Sporthal",
  ),
  language(
    "pl",
    "PL",
    "ko wal ski no wak wiś niew ska wój cik ka miń zie lin szy mań woź niak dą brow ko zło maz ur kra wczyk pio tro grab",
    "Restauracja|Sklep|Apteka|Hotel|Kościół|Fryzjer|Szkoła Podstawowa|Warsztat|Kawiarnia|Piekarnia|Gabinet Stomatologiczny|Biblioteka|Kwiaciarnia|Przychodnia|Biuro Rachunkowe",
    KIND_FIRST,
  ),
  language(
    "tr",
    "TR",
    "yıl maz ka ya de mir çe lik şa hin öz türk ay dın ars lan do ğan kı lıç çe tin ka ra ko ç kur t öz kan şim şek",
    "Lokantası|Market|Eczanesi|Oteli|Camii|Kuaför|İlkokulu|Oto Servis|Kafe|Fırını|Diş Kliniği|Kasap|Emlak|Kırtasiye|Aile Sağlığı Merkezi",
  ),
  language(
    "id",
    "ID MY BN",
    "su har to wi bo wo sa ri bu di pra ta ma le sta ri nu gro ho in dah ma ju ja ya ber kah se ja ti ra ha yu pu tra",
    "Warung|Toko|Apotek|Hotel|Masjid|Salon|SD Negeri|Bengkel|Kedai Kopi|Rumah Makan|Klinik|Puskesmas|Kantor Desa|Laundry|Pondok Pesantren|Bank Perkreditan Rakyat",
    KIND_FIRST,
  ),
  language(
    "vi",
    "VN",
    "nguyễn trần lê phạm hoàng huỳnh phan vũ võ đặng bùi đỗ hồ ngô dương lý minh anh hương lan phúc lộc thảo bình",
    "Nhà hàng|Quán cà phê|Nhà thuốc|Khách sạn|Chùa|Tiệm tóc|Trường tiểu học|Cửa hàng|Quán phở|Tạp hóa|Nha khoa|Ủy ban nhân dân phường|Siêu thị",
    KIND_FIRST,
  ),
  language(
    "sw",
    "TZ RW BI",
    "ki li man ja ro mwa na nchi ba ra ka u mo ja fu ra ha sa la ma ma fa nyo ny ota pen do amani tu mai ni",
    "Duka|Hoteli|Kanisa|Msikiti|Shule ya Msingi|Zahanati|Mgahawa|Soko|Gereji|Saluni|Benki|Ofisi ya Kijiji",
  ),
  language(
    "ja",
    "JP",
    "山 川 田 中 村 木 松 井 藤 原 佐 高 橋 渡 辺 伊 東 西 北 南 小 大 野 崎 島 岡 石 森 池 清 水 林 金 谷 坂 花 桜 竹 梅 月",
    "食堂|レストラン|カフェ|寿司|ラーメン|薬局|郵便局|公園|神社|寺|小学校|ホテル|歯科医院|美容室|コンビニ|駐車場|整骨院|居酒屋|不動産|株式会社|クリニック|図書館|コミュニティセンター|特別養護老人ホーム",
    UNSPACED,
  ),
  language(
    "zh",
    "CN TW HK MO",
    "天 福 金 大 新 华 东 南 西 北 龙 凤 海 山 江 河 明 光 永 安 平 和 兴 隆 丰 泰 祥 瑞 嘉 美 家 乐 园 城 百 盛 万 达 中 信",
    "餐厅|超市|药房|酒店|小学|医院|银行|公园|咖啡馆|理发店|面馆|火锅|便利店|停车场|牙科诊所|房地产|汽车修理|图书馆|有限公司|社区卫生服务中心|人民政府办事处",
    UNSPACED,
  ),
  language(
    "ko",
    "KR KP",
    "김 이 박 최 정 강 조 윤 장 임 한 서 신 권 황 안 송 류 전 홍 대 명 성 동 남 북 중 앙 우 리 행 복 새 빛 하 늘",
    "식당|카페|약국|호텔|교회|미용실|초등학교|마트|치과의원|공원|은행|주차장|편의점|부동산|한의원|도서관|어린이집|주민센터|고깃집|노래연습장",
  ),
  language(
    "ru",
    "RU UA BY KZ KG BG RS MK MN TJ",
    "ива но ва пет ров си до ро ку зне цов по пов со ко лов ле бе де ва мо ро зов вол ков со ло вьё ва бе лый кра сный но вый",
    "Магазин|Аптека|Кафе|Школа|Гостиница|Парикмахерская|Столовая|Сбербанк|Автосервис|Стоматология|Детский сад|Храм|Библиотека|Продукты|Почта|Администрация сельского поселения|Салон красоты",
    KIND_FIRST,
  ),
  language(
    "el",
    "GR CY",
    "πα πα δό που λος γε ωρ γί ου νι κο λά ου α θα νά σι δη μη τρί κα ρα για ννης βα σι λεί χρή στος μα ρί α",
    "Εστιατόριο|Φαρμακείο|Ταβέρνα|Ξενοδοχείο|Εκκλησία|Κομμωτήριο|Σχολείο|Καφενείο|Φούρνος|Οδοντιατρείο|Σούπερ Μάρκετ|Βιβλιοθήκη",
    KIND_FIRST,
  ),
  language(
    "ar",
    "EG SA AE DZ MA TN LY SD IQ JO LB SY KW QA BH OM YE PS MR SO DJ EH",
    "ال نور سلام مد ينة أحمد محمد علي حسن فا طمة بدر شمس قمر رياض خليج بحر جبل وادي نخيل زهرة أمل فجر هدى كريم",
    "مطعم|صيدلية|مسجد|فندق|مدرسة|مخبز|مقهى|صالون|مستشفى|محل|عيادة أسنان|مكتبة|بقالة|ورشة|بنك|مركز الرعاية الصحية الأولية",
    KIND_FIRST,
  ),
  language(
    "fa",
    "IR AF",
    "تهران پارس ایران مهر گل آب شیر کوه باغ ستاره آفتاب بهار نوروز سپید دریا رضا حسین امید پیروز چشمه",
    "رستوران|داروخانه|مسجد|هتل|دبستان|نانوایی|کافه|آرایشگاه|درمانگاه|سوپرمارکت|دندانپزشکی|کتابخانه",
    KIND_FIRST,
  ),
  language(
    "ur",
    "PK",
    "پاک لا ہور مدینہ غازی شاہ خان چوہدری بٹ ملک راجہ نور اقبال رحمت کریم سبز باغ چمن بہار",
    "ہوٹل|مسجد|اسکول|دکان|کلینک|بیکری|بینک|میڈیکل سٹور|جنرل سٹور|ہسپتال",
  ),
  language(
    "he",
    "IL",
    "שלום כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן גל ים הר אור טל נוף כרמל גן רון שיר",
    "מסעדה|בית מרקחת|מלון|בית כנסת|מספרה|בית ספר|קפה|מאפייה|מרפאת שיניים|סופרמרקט|ספרייה|מוסך",
    KIND_FIRST,
  ),
  language(
    "hi",
    "IN NP FJ MU",
    "श्री राम कृष्ण शिव गणेश लक्ष्मी शर्मा गुप्ता सिंह कुमार वर्मा यादव पटेल जैन मिश्रा आनंद सागर विजय नव भारत सूर्य चंद्र",
    "रेस्टोरेंट|मंदिर|मेडिकल स्टोर|होटल|विद्यालय|किराना स्टोर|मिठाई भंडार|क्लिनिक|बैंक|ज्वैलर्स|अस्पताल|ब्यूटी पार्लर|ढाबा|प्राथमिक स्वास्थ्य केंद्र|जनरल स्टोर",
  ),
  language(
    "bn",
    "BD",
    "রহমান ইসলাম হোসেন আহমেদ খান চৌধুরী সরকার মিয়া আলী সোনার বাংলা ঢাকা নদী পদ্মা মেঘনা যমুনা শাপলা",
    "রেস্টুরেন্ট|মসজিদ|ফার্মেসি|হোটেল|প্রাথমিক বিদ্যালয়|স্টোর|হাসপাতাল|ব্যাংক|বাজার|ক্লিনিক",
  ),
  language(
    "ta",
    "LK",
    "முருகன் சிவா லட்சுமி குமார் ராஜா செல்வம் கண்ணன் வேல் அம்மன் தமிழ் மலை கடல் பொன் வெற்றி",
    "உணவகம்|கோவில்|மருந்தகம்|பள்ளி|கடை|மருத்துவமனை|வங்கி|பேக்கரி|விடுதி",
  ),
  language(
    "th",
    "TH",
    "ศรี ทอง สุข ใจ ดี งาม ชัย พร บุญ มี รัตน์ วงศ์ เจริญ สิน มาลัย จันทร์ แสง ไทย เมือง ใหม่ บาง นา",
    "ร้านอาหาร|วัด|ร้านกาแฟ|โรงแรม|โรงเรียน|ร้านขายยา|ธนาคาร|ตลาด|คลินิก|ร้านเสริมสวย|อู่ซ่อมรถ|โรงพยาบาลส่งเสริมสุขภาพตำบล",
    { ...UNSPACED, ...KIND_FIRST },
  ),
  language(
    "km",
    "KH",
    "សុខ ចាន់ ដារ៉ា រស្មី មង្គល ពេជ្រ មាស អង្គរ មេគង្គ ភ្នំ បុរី សំណាង",
    "ភោជនីយដ្ឋាន|វត្ត|ឱសថស្ថាន|សណ្ឋាគារ|សាលាបឋមសិក្សា|ហាងកាហ្វេ|ធនាគារ|ផ្សារ",
    { ...UNSPACED, ...KIND_FIRST },
  ),
  language(
    "my",
    "MM",
    "ရွှေ မြန် မာ အောင် ဝင်း သီ ရိ မင်္ဂ လာ စန်း မိုး တော် နေ လ ပန်း မြိုင်",
    "စားသောက်ဆိုင်|ဘုရား|ဆေးဆိုင်|ဟိုတယ်|မူလတန်းကျောင်း|လက်ဖက်ရည်ဆိုင်|ဘဏ်|ဈေး|ဆေးခန်း",
    UNSPACED,
  ),
  language("lo", "LA", "ວຽງ ຈັນ ຫຼວງ ພູ ທອງ ແກ້ວ ສີ ສຸກ ບຸນ ມີ ໄຊ ດາວ", "ຮ້ານອາຫານ|ວັດ|ຮ້ານຂາຍຢາ|ໂຮງແຮມ|ໂຮງຮຽນ|ຕະຫຼາດ|ທະນາຄານ", {
    ...UNSPACED,
    ...KIND_FIRST,
  }),
  language(
    "ka",
    "GE",
    "მზე თბი ლი სი ბა თუ მი გე ლა ნი ნო ვა ჟა და ვით რუს თა ვე ლი ქარ თუ",
    "რესტორანი|აფთიაქი|სასტუმრო|ეკლესია|სკოლა|მაღაზია|კაფე|სალონი|კლინიკა",
    KIND_FIRST,
  ),
  language(
    "hy",
    "AM",
    "ա րա րատ եր ևան սև ան գե ղամ հայ կա կան նա իրի մա սիս ար մեն",
    "Ռեստորան|Դեղատուն|Հյուրանոց|Եկեղեցի|Դպրոց|Խանութ|Սրճարան|Բանկ",
    KIND_FIRST,
  ),
  language(
    "am",
    "ET ER",
    "አዲስ አበባ ሰላም ፍቅር ብርሃን ተስፋ ሀገር ልማት አንድነት ጸሐይ ወንዝ ተራራ",
    "ምግብ ቤት|ቤተ ክርስቲያን|መድኃኒት ቤት|ሆቴል|ትምህርት ቤት|ሱቅ|ባንክ|ክሊኒክ",
  ),
];
