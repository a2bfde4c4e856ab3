/** Frequent English words that are neither names nor words of the catalogue. */
export const COMMON: ReadonlySet<string> = new Set(
  `a about after again all also already am an and another any anybody anyone anything are as asap ask asked asking at
  away back be because been before being best better big both but by bye can cant come coming could day days dear did
  do does doing dont down due each early else end ending ends enough evening ever every everybody everyone everything
  far few fine first following for friday from full further give go goes going gone good got great had has have he
  hear hello help her here hey hi him his hour hours how hows i id if im in instead into is it its ive just keep kid
  know last late later least left less let lets like little long look looks lot lots mail many may maybe me mean mind
  minute minutes mistake moment monday month months more morning most much must my name named need needed needs never
  next nice night no nobody none not nothing now of off ok okay old on once one ones only onto or other our out over
  own pal people person please pls plz possible pretty put question quick quickly quite rather read ready really right
  said same saturday say saying says second seem seems set she should since so some somebody someone something soon
  sorry start started starts still stop sunday sure take takes tell than thank thanks that thats the their them then
  there these they thing things think this those thought through thursday thx time times to today together tomorrow
  tonight too took tried try trying tuesday two type understand until up urgent urgently us very wait want wanted
  wants was way we wednesday week weeks well went were what whats when where whether which while who whole whose why
  will wish with without wont work working works would wrong year years yes yesterday yet you your mum mom dad son
  daughter wife husband boss colleague code area zip gb mb kb usd dollar dollars cost costs price fee fees charge
  charged pay paid refund money expensive free service services contract info information detail details everyone
  digits digit ends pin ported rejected reason happened stolen lost found theft device handset spam robocall scam
  leaving leave left mr mrs ms miss dr sr sra señor señora plug bars reception waiting
  half twice percent am pm except besides unlock quote clock black lock catch match tests test falls walls cells sports parts older border games dates chance range power
  tower chose steps shops rise plants planes teams soon near number nolonger anymore caller speed
  request requests pending backup abroad runs keeps qr travelling traveling recoverable iot mvno voip temporarily immediately effective date number's line's thing's account's okay`
    .split(/\s+/)
    .filter(Boolean),
);
