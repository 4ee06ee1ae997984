//! Codes of languages that [`Language`](super::Language) accepts without a remark although its table does not have
//! them.

/// Codes of ISO 639-2 for single languages, and the codes of ISO 639-3 in FLORES-200 and in test sets of WMT.
pub(super) const THREE_LETTERS: &str = "\
    aar abk ace ach acm acq ada ady aeb afh afr ain ajp aka akk alb ale als alt ang anp apc arb arc arg arm arn arp \
    ars \
    arw ary arz asm ast ava ave awa aym ayr azb aze azj bak bal bam ban bas bej bel bem bho bik bin bis bjn bla bnt \
    bod \
    bos bra bre bua bug byn cad car ceb cha chb che chg chk chm chn cho chp chr chu chv chy cjk ckb cnr cop cor cos \
    cpe \
    cpf cpp cre crh crp csb cym dak dar del den dgr dik din div doi dsb dua dum dyu dzo efi egy eka ekk elx enm epo \
    ewe \
    ewo fan fao fat fij fil fon frm fro frr frs fry ful fur fuv gaa gay gaz gba geo gez gil gla glg glv gmh goh gon \
    gor \
    got grb grc grn gsw gwi hai haw hbs her hil hit hmn hmo hne hsb hup hye iba ido iii ile ilo ina inh ipk jav jbo \
    jpr \
    jrb kaa kab kac kal kam kas kat kau kaw kbd kbp kea kha khk kho kik kin kir kmb kmr knc kok kom kon kos kpe krc \
    krl \
    kru kua kum kur kut lad lah lam lat lez lij lim lin liv lmo lol loz ltg ltz lua lub lug lui lun luo lus lvs mac \
    mad \
    mag mah mai mak man mao mas mdf mdr men mga mic min mkd mlg mlt mnc mni moh mon mos mri mus mwl mwr myv nap nau \
    nav \
    nbl nde ndo nds new nia niu nno nob nog non npi nqo nso nus nwc nya nym nyn nyo nzi oci oji ori orm ory osa oss \
    ota \
    pag pal pam pap pau pbt peo pes phn pli plt pon pro prs que quy raj rap rar roh rom run rup sad sag sah sai sam \
    san \
    sas sat scn sco sel sga sgn shn sid sma sme smj smn smo sms sna snd snk sog som sot sqi srd srn srr ssw suk sun \
    sus \
    sux swh syc syr szl tah taq tat tem ter tet tgk tgl tib tig tir tiv tkl tlh tli tmh tog ton tpi tsi tsn tso tuk \
    tum \
    tvl twi tyv tzm udm uga uig umb uzb uzn vai vec ven vol vot wal war was wel wln wol xal yao yap ydd yid yue zap \
    zbl \
    zen zgh zha zsm zun zza";
